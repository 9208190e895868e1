import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AnswerFile } from '../src/index.ts';
import { outputFolder } from './folder.ts';

const answer = (key: string, text = 'yes') => ({ key, by: 'style', model: 'm', text });

test('answers are there when the run is opened again, the last of a key', async () => {
  const dir = outputFolder();
  const first = await AnswerFile.open(dir);
  expect(await first.get('a')).toBeNull();
  await first.add(answer('a'));
  await first.add(answer('b', 'nö\n'));
  await first.add(answer('a', 'no'));
  expect(await first.get('a')).toEqual(answer('a', 'no'));
  await first.close();
  const again = await AnswerFile.open(dir);
  expect(await again.get('a')).toEqual(answer('a', 'no'));
  expect(await again.get('b')).toEqual(answer('b', 'nö\n'));
  await again.close();
});

test('a write that was cut takes only its own answer, a damaged line too', async () => {
  const dir = outputFolder();
  const path = join(dir, 'answers.jsonl');
  const first = await AnswerFile.open(dir);
  await first.add(answer('a'));
  await first.close();
  appendFileSync(path, 'damaged\n{"key":"b","by":"st');
  const again = await AnswerFile.open(dir);
  expect(await again.get('b')).toBeNull();
  await again.add(answer('c'));
  expect(await again.get('a')).toEqual(answer('a'));
  expect(await again.get('c')).toEqual(answer('c'));
  await again.close();
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(3);
});

test('a run that scores another one again starts with its answers', async () => {
  const [parent, dir] = [outputFolder(), outputFolder()];
  const first = await AnswerFile.open(parent);
  await first.add(answer('a'));
  const again = await AnswerFile.open(dir, { parent });
  expect(await again.get('a')).toEqual(answer('a'));
  await again.add(answer('b'));
  await again.close();
  await first.close();
  expect(readFileSync(join(parent, 'answers.jsonl'), 'utf8')).not.toContain('"b"');
  const none = await AnswerFile.open(outputFolder(), { parent: outputFolder() });
  expect(await none.get('a')).toBeNull();
  await none.close();
});

test('secrets are masked', async () => {
  const dir = outputFolder();
  const file = await AnswerFile.open(dir, { mask: (text) => text.replaceAll('s3cret', '«KEY»') });
  await file.add(answer('a', 'the s3cret'));
  expect(await file.get('a')).toEqual(answer('a', 'the «KEY»'));
  await file.close();
});
