/** Reads mails as RFC 5322, 2045 and 2047 say, for tests of what writes them. */

export interface Mail {
  readonly fields: ReadonlyMap<string, string>;
  readonly parts: readonly { readonly type: string; readonly text: string }[];
}

export function parseMail(raw: string): Mail {
  const { fields, body } = entityOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(fields.get('content-type') ?? '')?.[1] ?? '';
  const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (parts.pop() !== '--\r\n') throw new Error('the last part has no end');
  return {
    fields,
    parts: parts.map((part) => {
      const entity = entityOf(part.replace(/^\r\n/, ''));
      return { type: entity.fields.get('content-type') ?? '', text: decodeBody(entity.body) };
    }),
  };
}

function entityOf(raw: string): { readonly fields: ReadonlyMap<string, string>; readonly body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const unfolded = raw.slice(0, end).replace(/\r\n(?=[ \t])/g, '');
  const fields = unfolded.split('\r\n').map((line): readonly [string, string] => {
    const [, name, value] = /^([!-9;-~]+): (.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no field: ${JSON.stringify(line)}`);
    return [name.toLowerCase(), decodeWords(value)];
  });
  if (new Set(fields.map(([name]) => name)).size < fields.length) throw new Error('a field stands twice');
  return { fields: new Map(fields), body: raw.slice(end + 4) };
}

const decodeWords = (value: string): string =>
  value
    .replace(/(=\?[^?]*\?B\?[^?]*\?=)\s+(?==\?)/g, '$1')
    .replace(/(?:=\?utf-8\?B\?[A-Za-z0-9+/=]*\?=)+/g, (words) =>
      Buffer.concat([...words.matchAll(/\?B\?([^?]*)\?=/g)].map(([, word = '']) => Buffer.from(word, 'base64'))).toString(),
    );

const decodeBody = (body: string): string =>
  Buffer.from(
    body
      .replace(/=\r\n/g, '')
      .replaceAll('\r\n', '\n')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
