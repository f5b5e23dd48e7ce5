/** Packages whose names say that they may ask our service, as its SDK does. */
import { v1Endpoints } from '../../../src/contract/endpoints.ts';
import type { Bases } from './routes.ts';

/** What a package of a company is beside what asks its service. */
const isBeside =
  /^(?:ui|types?|icons?|theme|config|eslint|prettier|tsconfig|lint|logger|log|logs|styles?|schemas?|events?|errors?|testing|test|tests|mocks?|fixtures?|utils?|components?|react|vue)$/;

const generic =
  /^(?:api|apis|www|com|net|org|dev|app|apps|cloud|example|test|local|localhost|staging|stage|prod|public|gateway|internal|service|services|v\d+)$/;

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** The scope and the name of a package, without what is asked of it. */
export function wordsOf(specifier: string): { readonly scope: readonly string[]; readonly own: readonly string[] } {
  const [, scope = '', own = ''] = /^(?:@([^/]*)\/)?([^/]*)/.exec(specifier) ?? [];
  return { scope: words(scope), own: words(own) };
}

/** Whether the name of a package speaks of the service: of its host, or of what v1 has, as its client. */
export function namedAsOurs({ v1 }: Bases): (specifier: string) => boolean {
  const hosts = new Set(
    v1.flatMap((base) => new URL(base).hostname.split(/[.-]/)).filter((word) => word.length > 3 && !generic.test(word)),
  );
  return (specifier) => {
    const { scope, own } = wordsOf(specifier);
    if (own.some((word) => isBeside.test(word))) return false;
    if (own.some((word) => hosts.has(word))) return true;
    const isClient = own.some((word) => /^(?:sdk|client|api)$/.test(word));
    return isClient && (scope.some((word) => hosts.has(word)) || own.some((word) => nouns.has(word)));
  };
}

/** `messages`, `contact`: what is asked of v1. */
const nouns: ReadonlySet<string> = new Set(
  Object.values(v1Endpoints).flatMap(({ path }) => {
    const noun = path.split('/')[2] ?? '';
    return [noun, noun.replace(/s$/, '')];
  }),
);
