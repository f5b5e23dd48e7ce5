import { readFileSync } from 'node:fs';
import { clientRules } from './codemods/clients/registry.ts';
import { loadEngines } from './codemods/engines/choose.ts';
import { createEvaluation } from './codemods/evaluate/evaluate.ts';
import { sourceModule } from './codemods/evaluate/module.ts';
import { callGraphOf } from './codemods/requests/call-graph.ts';
import { requestSitesOf } from './codemods/verdict/request-sites.ts';
import { optionsOf } from './codemods/evaluate/values.ts';
const engines = await loadEngines();
const file = process.argv[2]!;
const text = readFileSync(file, 'utf8');
const module = sourceModule(file, text, engines.parse(file, text).tree);
const ev = createEvaluation({ modules: new Map([[file, module]]), resolve: () => undefined } as never, clientRules);
const show = (v: any, d = 4): any => v === undefined ? v : d === 0 ? v.type : v.type === 'text' ? { text: v.parts.map((p: any) => 'text' in p ? p.text : show(p.unknownPart, d - 1)) } : v.type === 'choice' ? optionsOf(v).map((o: any) => show(o, d - 1)) : { type: v.type, why: v.why, at: v.node && text.slice(v.node.start, v.node.end).slice(0, 50), kind: v.node?.kind, path: v.path, receiver: v.receiver && show(v.receiver, d - 1), owner: v.owner && 'owner', value: v.type==='literal'?v.value:undefined };
for (const s of requestSitesOf(ev, callGraphOf(ev), { v1: ['https://api.sendwell.io'], v2: undefined, env: new Set() } as never)) {
  console.log(s.verdict.kind, JSON.stringify(s.verdict), JSON.stringify((s.request.url ?? []).map((p: any) => 'text' in p ? p.text : show(p.unknownPart))), s.byDefault?.length);
}
