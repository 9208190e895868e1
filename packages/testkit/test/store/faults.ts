/** What the small store can do wrong, by the check that must find it. */
export const faults = {
  'a new run has its plan and no episode': 'forgets-plan',
  'episodes come back the same, while the run is written, after it, and after a resume':
    'shows-late',
  'append resolves with the entry that the index then has': 'wrong-entry',
  'fields that this version does not know are kept': 'drops-unknown',
  'keys and messages may be of any characters': 'ascii-only',
  'a trace of ten megabytes is kept whole, and so is what follows it': 'drops-large',
  'episodes appended at once are all there, once each': 'writes-over',
  'an episode that is appended twice counts once': 'doubles',
  'of an attempt that was played again the last episode counts': 'first-counts',
  'a close waits for what was appended, and may be called again': 'closes-early',
  'readers beside the writer see whole episodes, and never fewer than before': 'shows-late',
  'a reader that is told to stop ends at once': 'ignores-signal',
  'readers leave nothing open': 'leaks',
  'a second writer is refused while the first is open, and let in after it': 'no-lock',
  'of many that resume at once one gets in': 'races-for-lock',
  'a run is not started over another': 'starts-over',
  'what is no run is refused as not found': 'invents-runs',
  'the turns of a rollout in progress can be read, also after a close and a resume': 'no-journal',
  'a rollout leaves the journal once its episode is stored': 'keeps-journal',
  'turns that come later are added to those that are there': 'first-turn-only',
  'a last write that was cut at any byte takes no earlier episode, and is played again once':
    'never-mends',
  'a journal that was cut at any byte gives the turns before the cut, or none': 'chokes',
  'a run whose process is killed again and again loses nothing and locks nobody out':
    'keeps-dead-lock',
} as const;

export type Fault = (typeof faults)[keyof typeof faults] | 'writes-late';
