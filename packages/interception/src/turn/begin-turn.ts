import type { ServerResponse } from 'node:http';
import { answer } from '../http/answer.ts';
import type { Heartbeat } from '../server/heartbeat.ts';
import type { Session } from '../session/session.ts';
import { Delivery } from './delivery.ts';
import type { Incoming } from './incoming.ts';
import { Turn } from './turn.ts';

/** Answers a turn request: by the call in flight or recorded that it repeats, else by a call of its own. */
export async function beginTurn(
  session: Session,
  incoming: Incoming,
  response: ServerResponse,
  heartbeat: Heartbeat<Turn>,
): Promise<void> {
  const earlier = session.retries.find(incoming);
  if (earlier === 'conflict') {
    const message = 'this Idempotency-Key was used for another request';
    const { head, body } = incoming.dialect.error({ status: 400, code: 'invalid', message });
    return answer(response, head, [body]);
  }
  if (earlier !== null) return earlier.attach(response);
  const delivery = new Delivery(session.limits.joinableReply);
  const turn = new Turn(session, incoming, delivery);
  const known = session.retries.add(incoming, delivery, turn.start);
  delivery.listener = { gone: () => turn.abandon(), delivered: () => known.delivered() };
  session.begin(turn);
  const stopBeating = heartbeat.add(turn);
  delivery.attach(response);
  const isRecorded = await turn.run();
  if (!isRecorded) known.failed();
  stopBeating();
  session.ended(turn);
}
