import { defineHarness } from '@vf/core';
import { VfError } from '@vf/core/errors';

/** No agent at all: performs the reference solution of each task, without a model. */
export default defineHarness({
  speaks: [],
  capabilities: { callsModel: false, reference: true, resume: true, messages: true },
  open: async ({ reference }) => {
    if (reference === undefined) {
      throw new VfError('harness/open_failed', 'the taskset has no reference solution', {
        hint: 'give it a `validate` hook',
      });
    }
    return {
      turn: async (_prompt, signal) => ({ status: 'completed', ...(await reference(signal)) }),
      close: async () => {},
    };
  },
});
