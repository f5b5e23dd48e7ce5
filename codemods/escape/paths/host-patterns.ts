/** What is let through by host and path apart, as images of Next.js are: `{ hostname: 'api.example.com', pathname: '/v1/media/**' }`. */
import type { World } from '../../evaluate/program.ts';
import type { Finding } from '../../model.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { ObjectNode, StringNode } from '../../syntax/tree.ts';
import type { Bases } from '../../verdict/bases/routes.ts';

/** Paths below v1 on a host of ours, whether v1 has them or not: what answers link to may well be there. */
export function hostPatterns({ modules }: World, { v1 }: Bases): Finding[] {
  const hosts = new Set(v1.map((base) => new URL(base).hostname));
  return [...modules.values()].flatMap((module) =>
    module.text.includes('hostname') && module.text.includes('pathname')
      ? nodesOfKind(module.tree.program, 'object').flatMap((node): Finding[] => {
          const [host, path] = [textOf(node, 'hostname'), textOf(node, 'pathname')];
          if (host === undefined || path === undefined || !hosts.has(host.value) || !/^\/v1(?:\/|$)/.test(path.value)) return [];
          const { start, end } = path;
          return [{ code: 'repeats-path', file: module.file, start, end, ...module.position(start), detail: {} }];
        })
      : [],
  );
}

function textOf({ properties }: ObjectNode, name: string): StringNode | undefined {
  const found = properties.find((each) => each.kind === 'property' && each.name === name);
  return found?.kind === 'property' && found.value.kind === 'string' ? found.value : undefined;
}
