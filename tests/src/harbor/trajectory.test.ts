import { harborTaskset } from '@vf/taskset-harbor';
import { solveWithShell, startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { containersLeft, noEngine } from '../docker/engine.ts';
import { play } from '../run/play.ts';
import { makeTasks } from './make-tasks.ts';

/** Scores what the trajectory says that the agent ran, as a verifier of Harbor's would read it. */
const grader = `#!/bin/sh
python3 - <<'EOF' > /logs/verifier/reward.json
import json
said = json.load(open('/logs/agent/trajectory.json'))
steps = said['steps']
calls = [call for step in steps for call in step.get('tool_calls', [])]
results = [r for step in steps for r in step.get('observation', {}).get('results', [])]
ok = (
    said['schema_version'] == 'ATIF-v1.7'
    and [step['step_id'] for step in steps] == list(range(1, len(steps) + 1))
    and len(calls) == 1 and 'a-word-of-its-own' in json.dumps(calls[0]['arguments'])
    and results[0]['source_call_id'] == calls[0]['tool_call_id']
    and 'a-word-of-its-own' in json.dumps(results[0]['content'])
)
print(json.dumps({'reward': int(ok)}))
EOF
`;

const box = '[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\n';
const apart = `artifacts = ["/logs/agent/trajectory.json"]\n${box}[verifier]\nenvironment_mode = "separate"\n`;

describe.skipIf(noEngine)('the trajectory of an agent', { timeout: 180_000 }, () => {
  test.each(['bash', 'codex'])(
    'of %s is there for tests that read it, in its own box and in a separate one',
    async (agent) => {
      const path = await makeTasks({
        shared: { tests: grader },
        separate: { toml: apart, tests: grader },
      });
      await using model = await startScriptedModel({
        script: solveWithShell('echo a-word-of-its-own'),
      });
      const { trace } = await play({
        taskset: harborTaskset({ path }),
        model,
        config: { 'harness.id': agent, 'runtime.id': 'docker', 'runtime.pull': 'never' },
      });
      for (const task of ['shared', 'separate'])
        expect(trace(task)).toMatchObject({ errors: [], reward: 1 });
      expect(await containersLeft()).toEqual([]);
    },
  );
});
