import { describe, expect, it } from 'vitest';
import responses from '../src/index.ts';
import { codexShort } from './fixtures.ts';

const { request } = responses;
const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] };
const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a": 1}' };

function kindOf(method: string, path: string): string | undefined {
  return responses.routes.find((route) => route.method === method && route.path.test(path))?.kind;
}

describe('routes', () => {
  it('[responses/routes-turn] takes responses and compactions as turns', () => {
    expect(kindOf('POST', '/v1/responses')).toBe('turn');
    expect(kindOf('POST', '/r/1/v1/responses/compact')).toBe('turn');
  });

  it('[responses/routes-count-tokens] relays token counts', () => {
    expect(kindOf('POST', '/v1/responses/input_tokens')).toBe('count-tokens');
  });

  it('[responses/routes-models] answers the model list', () => {
    expect(kindOf('GET', '/v1/models')).toBe('models');
    expect(kindOf('GET', '/v1/models/m')).toBe('models');
  });

  it.each([
    ['GET', '/v1/responses/resp_1'],
    ['DELETE', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['GET', '/v1/responses/resp_1/input_items'],
    ['POST', '/v1/conversations'],
    ['GET', '/v1/conversations/conv_1/items'],
  ])('[responses/routes-refused] refuses what is stored at the provider: %s %s', (method, path) => {
    expect(kindOf(method, path)).toBe('refused');
  });

  it('[responses/routes-websocket] refuses the GET of a WebSocket upgrade', () => {
    expect(kindOf('GET', '/v1/responses')).toBe('refused');
  });
});

describe('keys', () => {
  it('[responses/secret] takes the bearer token, and carries the provider’s key as one', () => {
    const url = new URL('http://host/v1/responses');
    expect(responses.secret(['X', 'y', 'Authorization', 'Bearer s3'], url)).toMatchObject({
      value: 's3',
    });
    expect(responses.secret(['x-api-key', 's3'], url)).toBeNull();
    expect(responses.authorize('k')).toEqual(['authorization', 'Bearer k']);
  });
});

describe('messages', () => {
  it('[responses/input-string] takes a string of input as one user message', () => {
    expect(request.preamble({ input: 'hi', instructions: 'be brief' })).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
    ]);
  });

  it('[responses/system] takes instructions, system and developer messages as system', () => {
    expect(request.preamble({ instructions: 'x', input: [] })).toEqual([
      { role: 'system', content: 'x' },
    ]);
    expect(
      request.messages([
        { role: 'developer', content: 'a' },
        { type: 'message', role: 'system', content: 'b' },
      ]),
    ).toEqual([
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
    ]);
  });

  it('[responses/content] reads one text part as its text, and null as none', () => {
    expect(request.messages([user])).toEqual([{ role: 'user', content: 'hi' }]);
    expect(request.messages([{ role: 'user', content: null }])).toEqual([
      { role: 'user', content: '' },
    ]);
  });

  it('[responses/images] reads images by URL and keeps files as they are', () => {
    const file = { type: 'input_file', file_id: 'file_1' };
    const content = [
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'high' },
      file,
    ];
    expect(request.messages([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', url: 'data:image/png;base64,AA' },
          { type: 'native', native: file },
        ],
      },
    ]);
  });

  it('[responses/assistant-run] makes one message of a run of assistant items', () => {
    const items = [
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'one' }],
        content: [{ type: 'reasoning_text', text: 'two' }],
      },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'output_text', text: 'b' },
        ],
      },
      { type: 'message', role: 'assistant', content: 'c' },
      call,
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: '*** x' },
      { ...call, call_id: 'c3', namespace: 'agents' },
    ];
    expect(request.messages([user, ...items, user])[1]).toEqual({
      role: 'assistant',
      content: 'abc',
      reasoning: 'one\ntwo',
      toolCalls: [
        { id: 'c1', name: 'f', arguments: '{"a": 1}' },
        { id: 'c2', name: 'patch', arguments: '*** x', kind: 'custom' },
        { id: 'c3', name: 'f', arguments: '{"a": 1}', namespace: 'agents' },
      ],
      providerState: items,
    });
    expect(items.map((item, index) => request.opens(item, items[index - 1] ?? user))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('[responses/outputs] makes one tool message of each result', () => {
    const outputs = [
      { type: 'function_call_output', id: 'fco_1', call_id: 'c1', output: '42' },
      {
        type: 'custom_tool_call_output',
        call_id: 'c2',
        output: [{ type: 'input_image', image_url: 'data:,' }],
      },
    ];
    expect(request.messages([call, ...outputs]).slice(1)).toEqual([
      { role: 'tool', toolCallId: 'c1', content: '42' },
      { role: 'tool', toolCallId: 'c2', content: [{ type: 'image', url: 'data:,' }] },
    ]);
  });

  it('[responses/other-outputs] keeps the results of other tools whole, but for ids and status', () => {
    const native = { type: 'shell_call_output', call_id: 'c1', output: [{ stdout: 'x' }] };
    expect(request.messages([{ ...native, id: 'sco', status: 'completed' }])).toEqual([
      { role: 'tool', toolCallId: 'c1', content: [{ type: 'native', native }] },
    ]);
  });

  it.each([
    [{ type: 'quantum_call', x: 1 }, 'assistant'],
    [{ type: 'quantum_call_output', call_id: 'q' }, 'tool'],
    [{ type: 'mcp_approval_response', approval_request_id: 'q' }, 'tool'],
    [{ type: 'additional_tools', role: 'developer', tools: [] }, 'system'],
    [{ type: 'note', role: 'user' }, 'user'],
    [{ type: 'compaction', encrypted_content: 'x' }, 'assistant'],
    [{ id: 'msg_1' }, 'assistant'],
    [17, 'user'],
  ])('[responses/unknown-items] keeps %j on the side of the %s', (item, role) => {
    const [message] = request.messages([item]);
    expect(message?.role).toBe(role);
    expect(JSON.stringify(message)).toContain(JSON.stringify(item).slice(1, -1));
  });

  it('[responses/previous-response-id] names the reply that a request continues', () => {
    expect(request.continues?.({ previous_response_id: 'resp_1' })).toBe('resp_1');
    expect(request.continues?.({ previous_response_id: null })).toBeNull();
    expect(request.continues?.({ previous_response_id: '' })).toBeNull();
  });
});

describe('tools', () => {
  it('[responses/tools] reads functions, namespaces, custom and hosted tools of Codex', () => {
    const tools = request.tools(codexShort[0]?.body ?? {});
    expect(
      tools.filter(({ namespace }) => namespace === 'multi_agent_v1').map(({ name }) => name),
    ).toEqual(['close_agent', 'resume_agent', 'send_input', 'spawn_agent', 'wait_agent']);
    expect(tools.find(({ name }) => name === 'exec_command')).toMatchObject({
      parameters: { type: 'object' },
    });
    expect(tools.at(-1)).toEqual({
      name: 'web_search',
      kind: 'web_search',
      native: { type: 'web_search', external_web_access: true },
    });
  });

  it('[responses/tools-both-ways] writes the tools that it read', () => {
    const tools = codexShort[0]?.body['tools'];
    const settings = { model: 'm', stream: true };
    const written = request.write({
      preamble: [],
      messages: [],
      tools: request.tools({ tools }),
      settings,
    });
    expect(written['tools']).toEqual(tools);
  });

  it('[responses/tools-custom] keeps the format of a custom tool', () => {
    const native = {
      type: 'custom',
      name: 'patch',
      description: 'edits',
      format: { type: 'grammar', syntax: 'lark', definition: 'x' },
    };
    expect(request.tools({ tools: [native] })).toEqual([
      { name: 'patch', description: 'edits', kind: 'custom', native },
    ]);
  });
});

describe('settings', () => {
  const top = {
    model: 'm',
    stream: true,
    input: [],
    temperature: 0.5,
    top_p: 0.9,
    max_output_tokens: 100,
    reasoning: { effort: 'high', summary: 'auto' },
    text: {
      verbosity: 'low',
      format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
    },
    tool_choice: { type: 'function', name: 'f' },
    parallel_tool_calls: false,
    store: false,
    prompt_cache_key: 'k',
  };

  it('[responses/settings] names what it can and keeps the rest', () => {
    expect(request.settings(top, '/v1/responses')).toEqual({
      model: 'm',
      stream: true,
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 100,
      reasoningEffort: 'high',
      responseFormat: { name: 'n', schema: { type: 'object' }, strict: true },
      toolChoice: { name: 'f' },
      parallelToolCalls: false,
      extra: {
        store: false,
        prompt_cache_key: 'k',
        reasoning: { summary: 'auto' },
        text: { verbosity: 'low' },
      },
    });
  });

  it('[responses/settings-both-ways] writes the settings that it read', () => {
    const settings = request.settings(top, '/v1/responses');
    const {
      input: _,
      include: __,
      ...written
    } = request.write({ preamble: [], messages: [], tools: [], settings });
    const { input: ___, ...asked } = top;
    expect(written).toEqual(asked);
  });

  it('[responses/edits-one-key] edits one key for each thing wanted', () => {
    expect(request.edits({ model: 'big', temperature: 0, maxOutputTokens: 5 }, top, '')).toEqual([
      { key: 'model', value: 'big' },
      { key: 'temperature', value: 0 },
      { key: 'max_output_tokens', value: 5 },
    ]);
  });

  it('[responses/edits-siblings] keeps the siblings of the effort and of the format', () => {
    expect(
      request.edits(
        { reasoningEffort: 'low', responseFormat: 'json' },
        { ...top, include: ['reasoning.encrypted_content'] },
        '',
      ),
    ).toEqual([
      { key: 'reasoning', value: { effort: 'low', summary: 'auto' } },
      { key: 'text', value: { verbosity: 'low', format: { type: 'json_object' } } },
    ]);
  });

  it('[responses/include-encrypted] asks for encrypted reasoning where nothing is stored', () => {
    expect(
      request.edits({ reasoningEffort: 'low' }, { ...top, include: ['x'] }, ''),
    ).toContainEqual({
      key: 'include',
      value: ['x', 'reasoning.encrypted_content'],
    });
    const settings = { model: 'm', stream: false, reasoningEffort: 'low' };
    expect(request.write({ preamble: [], messages: [], tools: [], settings })).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
    });
  });
});
