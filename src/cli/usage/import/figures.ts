/** What an import tells in the end: of each log, and of all together. */
import { iso } from '../../../report/period.ts';
import { count, counted, timeOf } from '../../../report/text/figures.ts';
import { plain } from '../../../text/escape.ts';
import { masked } from '../../../text/masked.ts';
import type { LogFigures } from '../../../usage/logs/import-log.ts';
import { type LogCaller, type LogKind, mostLogCallers } from '../../../usage/logs/model.ts';
import { v1Folder } from '../../../usage/logs/line-finder.ts';
import { wasServed } from '../../../usage/logs/v1-calls.ts';
import { otherCallers } from '../../../usage/model.ts';

const mostNamed = 10;
const longestHost = 100;

/** Calls by client and endpoint, over all logs. */
export class Found {
  readonly #clients = new Map<string, number>();
  readonly #endpoints = new Map<string, number>();
  #refused = 0;

  add({ client, network, keyHash, keyPrefix }: LogCaller, kind: LogKind, calls: number): void {
    const who = [client, network, keyHash === null ? '' : `${keyPrefix}… hash:${keyHash}`].filter((part) => part !== '').join('  ');
    const known = this.#clients.has(who) || this.#clients.size < mostLogCallers ? who : otherCallers;
    this.#clients.set(known, (this.#clients.get(known) ?? 0) + calls);
    this.#endpoints.set(kind.endpoint, (this.#endpoints.get(kind.endpoint) ?? 0) + calls);
    if (!wasServed(kind)) this.#refused += calls;
  }

  lines(): readonly string[] {
    const refused =
      this.#refused === 0 ? [] : [`${counted(this.#refused, 'call')} of these ${this.#refused === 1 ? 'was' : 'were'} refused`];
    return [...listed('Clients', this.#clients), ...listed('Endpoints', this.#endpoints), ...refused];
  }
}

function listed(title: string, counts: ReadonlyMap<string, number>): string[] {
  if (counts.size === 0) return [];
  const rows = [...counts].toSorted(([, a], [, b]) => b - a);
  const more = rows.length - mostNamed;
  const width = count(rows[0]?.[1] ?? 0).length;
  return [
    `${title}: ${count(rows.length)}`,
    ...rows.slice(0, mostNamed).map(([name, calls]) => `  ${count(calls).padStart(width)}  ${plain(name)}`),
    ...(more > 0 ? [`  … and ${count(more)} more`] : []),
  ];
}

/** What must be known where every call of a log was of another host than was asked for; undefined otherwise. */
export function hostWarning(name: string, host: string | undefined, { calls, ofProxies, otherHosts }: LogFigures): string | undefined {
  if (host === undefined || otherHosts.size === 0 || calls + ofProxies > 0) return undefined;
  const hosts = [...otherHosts].map((other) => masked(plain(other)).slice(0, longestHost));
  return `${plain(name)}: nothing was taken: every line with a path of v1 is of another host than ${plain(host)}: ${hosts.join(', ')}`;
}

/** `access.log (combined): 1,200 lines, 30 v1 calls from … to …, 12 of them new` */
export function figuresText(name: string, figures: LogFigures): string {
  const { format, source, lines, calls, added, repeated, ofProxies, unlisted, unread, first, last, isUnfinished } = figures;
  if (format === undefined) return `${plain(name)}: no line`;
  const when = calls === 0 ? '' : ` from ${timeOf(iso(first))} to ${timeOf(iso(last))}`;
  const known = calls === added ? '' : `, ${added === 0 ? 'none' : count(added)} of them new`;
  const parts = [
    `${counted(lines, 'line')}, ${counted(calls, 'v1 call')}${when}${known}`,
    ...(ofProxies === 0 ? [] : [`${counted(ofProxies, 'call')} of the proxies left out`]),
    ...(unlisted === 0
      ? []
      : [
          `${counted(unlisted, 'line')} below ${v1Folder} ${unlisted === 1 ? 'is' : 'are'} of no endpoint of v1: with --host, which says whose log it is, such count`,
        ]),
    ...(unread === 0 ? [] : [`${counted(unread, 'line')} could not be read`]),
    ...(repeated === 0
      ? []
      : [
          `${counted(repeated, 'line')} of these ${repeated === 1 ? 'stands' : 'stand'} in it before, with later ones between: give files that overlap one by one, as one stream counts them twice`,
        ]),
    ...(isUnfinished ? ['the last line has no end yet, and is left for the next time'] : []),
  ];
  return `${plain(name)} (${format}, source ${plain(source)}): ${parts.join('; ')}`;
}
