import type { AssistantMessage, CallError, Head, ReadReply } from '@vf/core';
import type { EditedRequest } from '../request/read-request.ts';
import type { Session } from '../session/session.ts';
import type { CallRecord } from './call-record.ts';
import type { Delivery } from './delivery.ts';
import type { Incoming } from './incoming.ts';
import type { AttemptFailure } from './retry-policy.ts';

/** What passes a reply on needs of its turn. */
export interface TurnUnderWay {
  readonly session: Session;
  readonly incoming: Incoming;
  readonly delivery: Delivery;
  readonly edited: EditedRequest;
  readonly signal: AbortSignal;
  /** Waits for whole replies: a hook may put another in its place. */
  readonly isBuffered: boolean;
  /** The provider's, once a streamed reply has one. */
  replyHead: Head | null;
  /** Past the finish reason: the reply is read to its end even when nobody is there to take it. */
  isFinishing: boolean;
  /**
   * Puts a good reply into the graph, beside it what the agent is told instead, and on the list of calls.
   * @throws what `onCall` throws
   */
  commit(record: CallRecord, reply: ReadReply, told?: AssistantMessage | null): Promise<void>;
  /** Records a call that failed and says so; the graph stays as it is. */
  failed(
    record: CallRecord,
    error: CallError,
    rest?: { readonly reply?: ReadReply | null; readonly answer?: AttemptFailure['answer'] },
  ): Promise<AttemptFailure>;
}
