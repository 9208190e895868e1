let seq = 0;

/** `{"v":1,"seq":7,"time":"…Z","type":…}` and the event's own fields; `seq` counts the lines of this process. */
export function eventLine(type: string, fields: object): string {
  return JSON.stringify({ v: 1, seq: seq++, time: new Date().toISOString(), type, ...fields });
}
