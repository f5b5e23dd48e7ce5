/** The code that asks on v2 for what a passage says, by the functions and the files that the passage names. */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { answersRequests } from '../../clients/servers/frameworks.ts';
import type { Passage } from '../../escape/ledger/passages.ts';
import type { Subject } from '../../escape/ledger/subjects.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { foldersAbove } from '../../find/packages/package-folders.ts';
import type { Moved } from '../moved.ts';

export interface Asking {
  readonly file: string;
  readonly endpoints: ReadonlySet<V1EndpointId>;
}

export type Subjects = Readonly<Record<Subject['kind'], ReadonlySet<string>>>;

export const isOfFile = ({ kind }: Subject): boolean => kind === 'function' || kind === 'file';

/** The files that have a path or declare a function, and what they ask for on v2. */
export function askingIn(named: Subjects, moved: readonly Moved[], textIn: (file: string) => string): ReadonlyMap<string, Asking[]> {
  const found = new Map<string, Asking[]>();
  for (const [file, calls] of Map.groupBy(moved, (call) => call.file)) {
    const text = textIn(file);
    // What answers requests may have routes of its own by the same name.
    if (isTest({ file }) || answersRequests.test(text)) continue;
    const endpoints = new Set(calls.map(({ endpoint }) => endpoint));
    const declares = Array.from(text.matchAll(declared), ([, ...names]) => names.find((name) => name !== undefined) ?? '').filter((name) =>
      named.function.has(name),
    );
    const paths = foldersAbove(`${file}/`).map((_, i, all) => file.slice(all[i]?.length));
    for (const name of new Set([...declares, ...paths.filter((path) => named.file.has(path))]))
      found.set(name, [...(found.get(name) ?? []), { file, endpoints }]);
  }
  return found;
}

/** An address without a route is that of all. */
export const asksForAll = ({ file, endpoints }: Asking, folder: string, mentions: Passage['mentions']): boolean =>
  file.startsWith(folder) && mentions.every((each) => each.endpoints.some((one) => endpoints.has(one)) || isOfAllRoutes(each));

const isOfAllRoutes = ({ kind, endpoints }: Passage['mentions'][number]): boolean =>
  kind === 'header' || (kind === 'address' && endpoints.length === 0);

/** What a function or a class is declared by: `function name`, `class name`, `name = (`, `name: async`, and a method with its body; what people call it by is a text: `tool('send_message', …)`. */
const declared = new RegExp(
  [
    String.raw`\b(?:function\s*\*?\s*|class\s+)([A-Za-z_$][\w$]*)`,
    String.raw`['"\x60]([A-Za-z_$][\w$]*)['"\x60]`,
    String.raw`(?<![.\w$])([A-Za-z_$][\w$]*)\s*[=:]\s*(?:async\b|function\b|[(<])`,
    String.raw`^[ \t]*(?:(?:public|protected|private|static|override|async)\s+){0,4}\*?([A-Za-z_$][\w$]*)\s*(?:<[^<>\n]{0,200}>)?\([^()\n]{0,400}(?:\([^()\n]{0,200}\)[^()\n]{0,200}){0,8}\)[^\n;]{0,200}\{[ \t]*$`,
  ].join('|'),
  'gm',
);
