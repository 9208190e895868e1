import { LocalModelUnavailable, startLocalModel } from '@vf/local-model';
import { answerSums, startScriptedModel } from '@vf/testkit';
import { editScript } from './edit-script.ts';

/** A model that answers the demo. `url` has no `/v1`. */
export interface DemoModel {
  readonly name: string;
  readonly url: string;
  /** For the screen: who is answering. */
  readonly who: string;
  stop(): Promise<unknown>;
}

/** The real small model where Python is there, else a script that says so. */
export async function sumsModel(signal: AbortSignal): Promise<DemoModel> {
  try {
    const local = await startLocalModel({ signal });
    return {
      name: local.model,
      url: local.url,
      who: `a real model on this CPU: ${local.model}`,
      stop: () => local.stop(),
    };
  } catch (error) {
    if (!LocalModelUnavailable.isInstance(error)) throw error;
    const scripted = await startScriptedModel({ script: answerSums(), model: 'scripted', signal });
    return {
      name: 'scripted',
      url: scripted.url,
      who: `a script, no model (${error.message})`,
      stop: () => scripted.close(),
    };
  }
}

export async function editModel(signal: AbortSignal): Promise<DemoModel> {
  const scripted = await startScriptedModel({ script: editScript, model: 'scripted', signal });
  return {
    name: 'scripted',
    url: scripted.url,
    who: 'a script, no model; the agents are real',
    stop: () => scripted.close(),
  };
}
