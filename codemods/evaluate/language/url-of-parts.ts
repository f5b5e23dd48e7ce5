/** The address that Node's `url.format` makes of its parts: https://nodejs.org/api/url.html#urlformaturlobject. */
import type { LibraryFunction } from '../libraries/client-rule.ts';
import { concatenated, flat, textOf } from '../values/text.ts';
import { choiceOf, type ObjectValue, optionsOf, type Value } from '../values/values.ts';

/** An address as a text, or a `URL`, stays as it is; of an object every part has to be known. */
export const urlOfParts: LibraryFunction = (_ev, [given]) => {
  const made =
    given === undefined ? [undefined] : optionsOf(given).map((each) => (each.type === 'object' ? addressOf(each) : asText(each)));
  const known = made.filter((each) => each !== undefined);
  return known.length < made.length ? undefined : choiceOf(known);
};

const asText = (value: Value): Value | undefined => (value.type === 'text' ? value : undefined);

function addressOf({ entries, unknown }: ObjectValue): Value | undefined {
  const part = (name: string): Value | undefined => {
    const value = entries.findLast((entry) => entry.name === name)?.value();
    return value?.type === 'literal' && (value.value === undefined || value.value === null) ? undefined : value;
  };
  const [protocol, host, port] = [
    part('protocol'),
    part('host') ?? part('hostname'),
    part('host') === undefined ? part('port') : undefined,
  ];
  // Whoever logs in by the address is asked otherwise.
  if (unknown.length > 0 || protocol === undefined || host === undefined || part('auth') !== undefined) return undefined;
  const scheme = each(protocol, (text) => [protocol, written(text.endsWith('://') ? '' : text.endsWith(':') ? '//' : '://')]);
  const path = part('pathname');
  return concatenated([
    scheme,
    host,
    ...(port === undefined ? [] : [written(':'), port]),
    ...(path === undefined ? [] : [each(path, (text) => [written(/^[/\0]/.test(text) ? '' : '/'), path])]),
    ...[part('search') ?? []].flat(),
  ]);
}

/** Each of the texts that something may be, with what is put before or behind it. */
const each = (value: Value, around: (text: string) => readonly Value[]): Value =>
  choiceOf(
    optionsOf(value).map((option) =>
      option.type === 'text' ? concatenated(around(flat(option.parts)).map((piece) => (piece === value ? option : piece))) : option,
    ),
  );

const written = (text: string): Value => textOf(text === '' ? [] : [{ text }]);
