import { describe, expect, test } from 'vitest';
import { readRenderer, templateOptions } from '../src/config/renderer-settings.ts';

describe('the settings of a renderer', () => {
  test('stand beside its name', () => {
    const given = { name: 'qwen3', enable_thinking: false };
    expect(readRenderer(given)).toEqual({ family: 'qwen3', options: { thinking: false } });
    expect(readRenderer('qwen3')).toEqual({ family: 'qwen3', options: {} });
    expect(readRenderer('auto')).toEqual({ family: null, options: {} });
    expect(readRenderer(undefined)).toEqual({ family: null, options: {} });
  });

  test('come from the sampling', () => {
    const extra = { chat_template_kwargs: { enable_thinking: false } };
    expect(templateOptions({ extra })).toEqual({ thinking: false });
    expect(templateOptions({ temperature: 1 })).toEqual({});
  });

  test.each([{ chat_template_kwargs: { enable_thinkin: false } }, { chat_template_kwargs: 'no' }])(
    'that are not known are refused: %j',
    (extra) => {
      expect(() => templateOptions({ extra })).toThrow(
        expect.objectContaining({ code: 'misfit/no_renderer' }) as Error,
      );
    },
  );
});
