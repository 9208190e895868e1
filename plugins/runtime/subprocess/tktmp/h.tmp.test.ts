import { describeHarness } from '@vf/testkit/conformance';
import { describe } from 'vitest';
import { mkdirSync } from 'node:fs';
const runtime = async () => (await import('../src/index.ts')).default;
const loop: any = { kind: 'harness', specVersion: 1, spec: {
  speaks: ['chat-completions'], capabilities: { hostTools: true, systemPrompt: 'separate', resume: true, messages: true },
  async open(ctx: any) {
    const messages: any[] = ctx.systemPrompt ? [{ role: 'system', content: ctx.systemPrompt }] : [];
    return {
      async turn(prompt: any, signal: AbortSignal) {
        messages.push(...(typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt));
        for (;;) {
          const r = await fetch(ctx.endpoint.url + '/v1/chat/completions', { method: 'POST', signal, headers: { authorization: 'Bearer ' + ctx.endpoint.bearer }, body: JSON.stringify({ model: ctx.model, messages, tools: [{ type: 'function', function: { name: 'bash', parameters: { properties: { command: {} } } } }, ...ctx.tools.map((t: any) => ({ type: 'function', function: t.spec }))] }) });
          const j: any = await r.json();
          if (r.status !== 200) return { status: 'failed', detail: JSON.stringify(j) };
          const m = j.choices[0].message; messages.push(m);
          if (!m.tool_calls) return { status: 'completed' };
          for (const c of m.tool_calls) {
            const tool = ctx.tools.find((t: any) => t.spec.name === c.function.name);
            const content = tool ? String((await tool.call(c.function.arguments, signal)).content) : (await ctx.runtime.run(['sh', '-c', JSON.parse(c.function.arguments).command], { env: ctx.env, signal })).stdout;
            messages.push({ role: 'tool', tool_call_id: c.id, content });
          }
        }
      },
      async close() {},
    };
  } } };
const codex: any = { kind: 'harness', specVersion: 1, spec: {
  speaks: ['responses'], capabilities: { mcp: true, systemPrompt: 'append', resume: true },
  async open(ctx: any) {
    const home = ctx.runtime.home + '/codex'; await ctx.runtime.write(home + '/x', '');
    let thread: string | null = null; const running = new Set<any>();
    return {
      async turn(prompt: string, signal: AbortSignal) {
        const p = ['/tmp/vf/agents/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex', 'exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', ctx.model, '-c', 'analytics.enabled=false', '-c', 'features.plugins=false', '-c', 'model_provider=vf', '-c', `model_providers.vf={name="vf",base_url="${ctx.endpoint.url}/v1",env_key="VF_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
          ...(ctx.systemPrompt ? ['-c', 'developer_instructions=' + JSON.stringify(ctx.systemPrompt)] : []),
          ...ctx.mcp.flatMap((m: any) => ['-c', `mcp_servers.${m.name}={url="${m.url}",bearer_token_env_var="MCPB",required=true}`]),
          ...(thread ? ['resume', thread] : []), '-'];
        const r = await ctx.runtime.run(p, { stdin: prompt, signal, env: { ...ctx.env, VF_KEY: ctx.endpoint.bearer, CODEX_HOME: home, HOME: ctx.runtime.home, MCPB: ctx.mcp[0]?.bearer ?? '' } });
        thread = /"thread_id":"([^"]+)"/.exec(r.stdout)?.[1] ?? thread;
        return { status: r.exitCode === 0 ? 'completed' : 'failed', program: r, detail: r.stdout.slice(-600) + r.stderr };
      },
      async close() {},
    };
  } } };
describe('loop', () => describeHarness(() => loop, { runtime }));
describe('codex', () => describeHarness(() => codex, { runtime }));
