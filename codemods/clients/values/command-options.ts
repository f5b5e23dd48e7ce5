/** Words of a command as options and the rest, by the conventions of getopt, and what curl and wget take a value for. */

export interface Option<Word> {
  readonly name: string;
  readonly value: Word | undefined;
}

export interface Syntax {
  /** Short options that take a value. */
  readonly short: string;
  /** Long options that take a value: others are flags. */
  readonly long: RegExp;
}

export const curlSyntax: Syntax = {
  short: 'HXdurAbcoFTxKmweECDPQtUyYz',
  long: /^(?:header|request|url|data(?:-\w+)?|json|form(?:-string)?|user|oauth2-bearer|output|user-agent|cookie(?:-jar)?|referer|proxy(?:-\w+)?|config|upload-file|max-time|connect-timeout|connect-to|resolve|retry(?:-\w+)?|write-out|cert|key|cacert|capath|interface|dump-header|range|limit-rate|aws-sigv4|url-query|variable|output-dir|trace(?:-ascii)?|stderr|ciphers|pass|noproxy)$/,
};
export const wgetSyntax: Syntax = {
  short: 'OoPUTtwQaieDAR',
  long: /^(?:header|method|post-data|post-file|body-data|body-file|user|password|http-user|http-password|output-document|output-file|directory-prefix|user-agent|timeout|tries|referer|ca-certificate|wait|waitretry)$/,
};

/** @param behind gives what of a word begins at an offset */
export function optionsIn<Word extends { readonly value: string }>(
  words: readonly Word[],
  { short, long }: Syntax,
  behind: (word: Word, from: number) => Word,
): { options: Option<Word>[]; rest: Word[] } {
  const options: Option<Word>[] = [];
  const rest: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) break;
    const { value } = word;
    const [, name, hasValue] = /^--([\w-]+)(=?)/.exec(value) ?? [];
    if (name !== undefined) {
      if (hasValue === '=') options.push({ name, value: behind(word, name.length + 3) });
      else options.push({ name, value: long.test(name) ? words[++i] : undefined });
    } else if (/^-[^-]/.test(value)) {
      const at = Array.from(value).findIndex((char, k) => k > 0 && short.includes(char));
      for (const flag of value.slice(1, at === -1 ? undefined : at)) options.push({ name: flag, value: undefined });
      if (at !== -1) options.push({ name: value.charAt(at), value: at + 1 < value.length ? behind(word, at + 1) : words[++i] });
    } else rest.push(word);
  }
  return { options, rest };
}

export const valuesOf = <Word>(options: readonly Option<Word>[], ...names: readonly string[]): Word[] =>
  options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
export const hasOption = (options: readonly Option<unknown>[], names: RegExp): boolean => options.some(({ name }) => names.test(name));

/** What curl asks by where no method is given. */
export function usualMethod(options: readonly Option<unknown>[]): 'GET' | 'HEAD' | 'POST' | 'PUT' {
  const sends = hasOption(options, /^(?:d|data(?:-\w+)?|json|F|form(?:-string)?)$/) && !hasOption(options, /^(?:G|get)$/);
  return hasOption(options, /^(?:I|head)$/) ? 'HEAD' : hasOption(options, /^(?:T|upload-file)$/) ? 'PUT' : sends ? 'POST' : 'GET';
}
/** What sends a token or a password of its own. */
export const credentialsOfCurl = /^(?:u|user|oauth2-bearer|aws-sigv4)$/;
