/**
 * Forms and links of pages to a path of the program's own server, `<form action="/api/v1/contacts">`: where a proxy passes on what is moved from there, they go
 * through it as well, and by v1.
 */
import type { RouteUse } from '../../uses-between-components.ts';
import { escaped } from '../../find/words/literals.ts';
import { projectsIn } from '../../find/packages/projects.ts';
import type { Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { routeHeads } from '../../verdict/bases/routes.ts';
import { withoutComments } from '../constraints/foreign-readers.ts';
import { byPlace } from '../merge.ts';

const page = /\.(?:html?|vue|svelte|astro|php|erb|ejs|hbs|pug|twig|j2|jinja2?|mustache|njk|liquid|html?\.\w+)$/i;
const sending = String.raw`<\w+\b[^<>]{0,500}\s(?:(?:form)?action|href|src)\s*=\s*["']?`;
const heads = routeHeads.map((head) => escaped(head.slice('/v1'.length))).join('|');

/** @param files all that were walked */
export function withForms<P extends Pick<Plan, 'edits' | 'findings' | 'ledger'>>(
  plan: P,
  routes: readonly RouteUse[],
  files: readonly { readonly path: string }[],
  textIn: (file: string) => string,
): P {
  const moved = new Set(plan.edits.map(({ group }) => group));
  const passedOn = routes.filter(({ ownPath, group }) => ownPath !== undefined && group !== undefined && moved.has(group));
  if (passedOn.length === 0) return plan;
  const projectOf = projectsIn(files);
  const byProject = Map.groupBy(passedOn, ({ file }) => projectOf(file));
  const found = files.flatMap(({ path: file }): Finding[] => {
    const asked = page.test(file)
      ? new Set((byProject.get(projectOf(file)) ?? []).flatMap((route) => route.ownPath ?? []))
      : new Set<string>();
    return asked.size === 0 ? [] : formsIn(file, textIn(file), [...asked]);
  });
  if (found.length === 0) return plan;
  const isTold = (entry: Plan['ledger'][number]): boolean =>
    found.some(({ file, start, end }) => entry.file === file && start <= entry.start && entry.end <= end);
  return {
    ...plan,
    findings: [...plan.findings, ...found].toSorted(byPlace),
    ledger: plan.ledger.map((entry) => (isTold(entry) ? { ...entry, state: 'person', reason: 'unconsumed' } : entry)),
  };
}

function formsIn(file: string, text: string, asked: readonly string[]): Finding[] {
  const position = positionsOf(text);
  const pattern = new RegExp(`(?<=${sending})(?:${asked.map(escaped).join('|')})(?:${heads})(?![\\w-])`, 'gi');
  const found = Array.from(withoutComments(text, file).matchAll(pattern), ({ index: start, 0: { length } }): Finding => {
    return { code: 'unconsumed', file, start, end: start + length, ...position(start), detail: { how: 'moved' } };
  });
  return found;
}
