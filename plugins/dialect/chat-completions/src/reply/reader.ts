import type { Dialect } from '@vf/core';
import { PlainReader } from '@vf/core/dialect';
import { readPlain } from './read-plain.ts';
import { StreamReader } from './stream-reader.ts';

export const reader: Dialect['reader'] = (options) =>
  options.stream ? new StreamReader(options) : new PlainReader(options, readPlain);
