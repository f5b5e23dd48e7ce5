/** How often the evaluation is asked anything while a program is surveyed: counted, as time is the machine's. */
import { clientRules } from '../../../codemods/clients/registry.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../codemods/evaluate/evaluate.ts';
import { sourceModule, type SourceModule } from '../../../codemods/evaluate/module.ts';
import { callGraphOf } from '../../../codemods/requests/call-graph.ts';
import { requestSitesOf } from '../../../codemods/verdict/request-sites.ts';

const engines = await loadEngines();

/** Files by name; an import of `./name` leads to `name.js`. */
export type Program = Readonly<Record<string, readonly string[]>>;

export interface Asked {
  /** Questions to the evaluation, those answered from memory included. */
  readonly questions: number;
  /** The URLs of the requests that were found, and what is not known of them as `…`. */
  readonly urls: readonly string[];
}

export function askedOf(program: Program): Asked {
  const modules = new Map<string, SourceModule>();
  for (const [name, lines] of Object.entries(program)) {
    const [file, text] = [`${name}.js`, lines.join('\n')];
    modules.set(file, sourceModule(file, text, engines.parse(file, text).tree));
  }
  const ev = createEvaluation({ modules, resolve: (_, specifier) => modules.get(`${specifier.replace('./', '')}.js`) }, clientRules);
  let questions = 0;
  const evaluate = ev.evaluate.bind(ev);
  ev.evaluate = (node, at) => {
    questions++;
    return evaluate(node, at);
  };
  const sites = requestSitesOf(ev, callGraphOf(ev), { v1: ['https://api.example.com'], v2: undefined, env: new Set() });
  const urls = sites.map(({ request: { url = [] } }) => url.map((part) => ('text' in part ? part.text : '…')).join(''));
  return { questions, urls: [...new Set(urls)] };
}
