/** Limits that several families have, in the words in which they are shown. */
export const limits = {
  oneSystem: 'a system message only in the first place: prompts with another are refused',
  oneCall: 'one call a reply: prompts with parallel calls are refused',
  noReasoning: 'reasoning is not printed',
  noPastReasoning: 'reasoning of past replies is not printed',
  noTools: 'the template declares no tools: the system message has to',
} as const;
