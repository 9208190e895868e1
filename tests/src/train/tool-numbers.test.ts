import { execFileSync } from 'node:child_process';
import { byteTokenizer } from '@vf/testkit';
import { expect, test } from 'vitest';
import { dialects, intercept, requestOf } from '../interception/rig.ts';
import { findPython } from '../python/venv.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

/** Numbers that JavaScript holds as others than Python, in objects, lists and lists of lists. */
const schema = String.raw`{"type": "object", "properties": {
  "a": {"type": "number", "minimum": 0.0, "maximum": 1.0, "multipleOf": 0.50, "default": -0.0},
  "b": {"type": "integer", "maximum": 9223372036854775807, "minimum": -9223372036854775808},
  "c": {"enum": [1, 1.0, 1.50, 1e5, 1E-7, 2.5e+20, [3.0, {"x": 4.00}], "5.0 \"6e7\" é"]}},
  "x-last": 1.0, "x-last": 2.0, "1.0": 7, "required": ["a"]}`;

const tools: Readonly<Record<string, string>> = {
  'chat-completions': `[{"type": "function", "function": {"name": "f", "description": "d", "parameters": ${schema}}}]`,
  messages: `[{"name": "f", "description": "d", "input_schema": ${schema}}]`,
  responses: `[{"type": "function", "name": "f", "description": "d", "parameters": ${schema}}]`,
};

const python = await findPython();
const dumps = `
import json, sys
tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": json.load(sys.stdin)}}
sys.stdout.write(json.dumps(tool, ensure_ascii=False))`;

test.runIf(python !== null).each(dialects)(
  'numbers in tool schemas are printed as Python does, and go on as they came: $id [train/tool-numbers]',
  async ({ id }) => {
    const printed = execFileSync(python ?? '', ['-X', 'utf8', '-c', dumps], {
      input: schema,
      encoding: 'utf8',
    });
    const engine = scriptedEngine('ok<|im_end|>');
    await using rig = await intercept('http://127.0.0.1:9', { client: clientOf(engine) });
    for (const said of ['hi', 'hi', 'anew']) {
      const { path, body } = requestOf(id, false, said);
      const response = await fetch(`${rig.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${rig.bearer}`,
          'x-api-key': rig.bearer,
          'content-type': 'application/json',
        },
        body: `${body.slice(0, -1)}, "tools": ${tools[id]}}`,
      });
      expect(response.status, await response.text()).toBe(200);
    }
    expect(engine.asked).toHaveLength(3);
    for (const { promptIds } of engine.asked) {
      const prompt = Buffer.from(byteTokenizer.join(promptIds, 0, promptIds.length)).toString();
      expect(prompt).toContain(`<tools>\n${printed}\n</tools>`);
    }
  },
);
