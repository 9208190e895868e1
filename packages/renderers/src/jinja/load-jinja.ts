import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { Renderer, RendererOptions } from '../renderer.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { jinjaRenderer } from './jinja-renderer.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fallback with the template of a model folder: its `chat_template.jinja`, else the `chat_template` of its
 * `tokenizer_config.json`. Its end token is the `eos_token` there; those of its `generation_config.json`, where engines
 * end too, are more.
 * @throws VfError `misfit/no_renderer` when the folder has no template or it is asked to bridge, `misfit/tokenizer` when
 * the template does not parse or the end token is not known, `misfit/not_renderable` when it cannot print one message
 */
export async function loadJinja(
  folder: string,
  tokenizer: Tokenizer,
  options: RendererOptions = {},
): Promise<Renderer> {
  if (options.retention !== undefined && options.retention !== 'template') {
    throw new VfError(
      'misfit/no_renderer',
      `the renderer jinja renders every turn anew; it cannot keep past reasoning by ${options.retention}`,
      { hint: 'leave thinking_retention out, or name a family' },
    );
  }
  const config = await readConfig(join(folder, 'tokenizer_config.json'));
  const template = (await readText(join(folder, 'chat_template.jinja'))) ?? templateIn(config);
  if (template === null) {
    throw new VfError('misfit/no_renderer', `${folder} has no chat template`, {
      hint: "put the model's chat_template.jinja or tokenizer_config.json there, or name a family",
    });
  }
  const bosToken = tokenIn(config, 'bos_token');
  const generation = await readConfig(join(folder, 'generation_config.json'));
  const renderer = jinjaRenderer(
    {
      template,
      eosToken: tokenIn(config, 'eos_token') ?? '',
      moreStopIds: endsIn(generation).filter((id) => id < tokenizer.size),
      ...(bosToken === null ? {} : { bosToken }),
      variables: variablesOf(options),
    },
    tokenizer,
  );
  // What the engine has no word for shows when it is printed.
  renderer.render({ messages: [{ role: 'user', content: 'Hi' }] });
  return renderer;
}

/** The settings under every name that templates have for them. */
function variablesOf({ thinking, keepThinking, effort, date }: RendererOptions): Fields {
  return {
    ...(thinking === undefined ? {} : { enable_thinking: thinking, thinking }),
    ...(keepThinking === undefined
      ? {}
      : {
          preserve_thinking: keepThinking,
          clear_thinking: !keepThinking,
          truncate_history_thinking: !keepThinking,
        }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(date === undefined ? {} : { date_string: date.toISOString().slice(0, 10) }),
  };
}

/** Some models have several templates, each with a name. */
function templateIn({ chat_template: template }: Fields): string | null {
  if (!Array.isArray(template)) return typeof template === 'string' ? template : null;
  const usual: unknown = template.find((one) => isFields(one) && one['name'] === 'default');
  const text = isFields(usual) ? usual['template'] : null;
  return typeof text === 'string' ? text : null;
}

function tokenIn(config: Fields, key: 'bos_token' | 'eos_token'): string | null {
  const token = config[key];
  const text = isFields(token) ? token['content'] : token;
  return typeof text === 'string' ? text : null;
}

/** One id, or several. */
function endsIn({ eos_token_id: ids }: Fields): readonly number[] {
  return [ids].flat().filter((id) => typeof id === 'number');
}

async function readConfig(path: string): Promise<Fields> {
  const text = await readText(path);
  try {
    const config: unknown = JSON.parse(text ?? '{}');
    return isFields(config) ? config : {};
  } catch (cause) {
    throw new VfError('misfit/tokenizer', `${path} is broken`, {
      cause,
      hint: 'get it again with the model',
    });
  }
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
