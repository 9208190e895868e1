import { z } from '@vf/core';

const forms =
  "{ type: 'text', text }, { type: 'image', url } (https: or data:), { type: 'native', native } (an item of the dialect, sent as it is)";
const imageForm = "an image is { type: 'image', url: 'https://… or data:image/png;base64,…' }";

/** What APIs of models call an image; a row names none of their shapes. */
const foreignImages: ReadonlySet<unknown> = new Set(['image_url', 'input_image']);

const part = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.literal('image'), url: z.string(imageForm) }),
    z.strictObject({ type: z.literal('native'), native: z.unknown() }),
  ],
  { error: ({ input }) => partRefusal(input) },
);
const content = z.union([z.string(), z.array(part)], {
  error: ({ input }) => `is ${given(input)}; content is text, or a list of ${forms}`,
});
const message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.literal('system'), content }),
    z.looseObject({ role: z.literal('user'), content }),
    z.looseObject({
      role: z.literal('assistant'),
      content: z
        .string({ error: ({ input }) => `is ${given(input)}; a reply is text or null` })
        .nullable(),
    }),
    z.looseObject({ role: z.literal('tool'), toolCallId: z.string(), content }),
  ],
  {
    error: ({ input }) =>
      `is ${given(input, 'role')}; a message is { role, content } of system, user, assistant or tool`,
  },
);

/** The prompt of a row: text, or the messages of a conversation. */
export const prompt = z.union([z.string(), z.array(message).min(1)], {
  error: ({ input }) => `is ${given(input)}; a prompt is text or a list of messages`,
});

function partRefusal(input: unknown): string {
  const type = fieldOf(input, 'type');
  const accepted = foreignImages.has(type) ? imageForm : `a part is ${forms}`;
  return `is ${given(input, 'type')}; ${accepted}`;
}

/** What was given, by the field that tells its kind. */
function given(input: unknown, field?: string): string {
  if (input === undefined) return 'missing';
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list';
  if (typeof input !== 'object' || input === null) return shown(input);
  if (field === undefined) return 'an object';
  const value = fieldOf(input, field);
  return value === undefined ? `an object without ${field}` : `of ${field} ${shown(value)}`;
}

const longest = 60;

/** A value as far as it is read; one that is no JSON is told elsewhere by its name. */
function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function fieldOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null
    ? Object.entries(input).find(([key]) => key === name)?.[1]
    : undefined;
}

/**
 * The issues of the form that was meant, in place of "none of the forms": the one whose kind fits what was given.
 * A union in which none does is told by its own words.
 */
export function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const fitting = issue.errors.filter((issues) => !issues.some(isOtherKind));
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return [{ ...issue, path: placeOf(issue) }];
  return only.flatMap((inner) => meant({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Is the value itself, and nothing in it, what does not fit? */
function isOtherKind({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

/** A part of an unknown type is at fault as a whole. */
function placeOf(issue: z.core.$ZodIssueInvalidUnion): PropertyKey[] {
  const isByKind = 'discriminator' in issue && issue.path.at(-1) === issue.discriminator;
  return isByKind ? issue.path.slice(0, -1) : issue.path;
}
