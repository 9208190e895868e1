import { VfError } from '@vf/core/errors';

/** Where calls go, and what goes along. */
export interface Address {
  readonly baseUrl: string;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where the values of headers come from: the variable of the key, and those of headers by their names. */
export interface HeaderSources {
  readonly keyVar: string | null;
  readonly headersFromEnv: Readonly<Record<string, string>>;
}

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** What RFC 9110, 5.5 leaves out: controls but the tab, and what has no byte of its own. */
const unsendable = /[^\t\x20-\x7E\x80-\xFF]/u;
/** They say how a request is sent, which whoever sends it says. */
const framing = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'keep-alive',
  'trailer',
  'upgrade',
]);

/**
 * An address whose headers and key HTTP can carry; the server would else be asked in vain, again and again.
 * @throws VfError config/invalid, without the value, which may be secret
 */
export function sendable(address: Address, { keyVar, headersFromEnv }: HeaderSources): Address {
  if (address.key !== null && keyVar !== null && unsendable.test(address.key)) {
    throw unfit(`the key in ${keyVar}`, `export ${keyVar} without it`);
  }
  for (const [name, value] of Object.entries(address.headers)) {
    if (!token.test(name) || framing.has(name.toLowerCase())) {
      const reason = token.test(name) ? 'says how a request is sent' : 'is no name of a header';
      throw new VfError('config/invalid', `the header ${JSON.stringify(name)} ${reason}`, {
        hint: 'leave it out',
      });
    }
    if (!unsendable.test(value)) continue;
    const variable = headersFromEnv[name];
    throw variable === undefined
      ? unfit(`the value of the header ${name}`, 'leave it out')
      : unfit(`the header ${name} in ${variable}`, `export ${variable} without it`);
  }
  return address;
}

function unfit(what: string, hint: string): VfError {
  const message = `${what} holds a line break or another character that no header can hold`;
  return new VfError('config/invalid', message, { hint });
}
