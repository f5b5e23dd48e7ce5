/** What may be changed where it is used, as a path or a client are: all who use it have to be seen. */
import { wholeUrl } from './relevance/marks.ts';
import type { Unit } from './relevance/outline.ts';
import type { Sources } from './relevance/sources.ts';
import { clientsIn, holdsValues, type Visited } from './relevance/visited.ts';

export class Shared {
  readonly #sources: Pick<Sources, 'speaksHttp' | 'holdsPart'>;
  readonly #clients = new Map<string, ReadonlySet<Unit>>();

  constructor(sources: Pick<Sources, 'speaksHttp' | 'holdsPart'>) {
    this.#sources = sources;
  }

  has({ outline }: Visited, unit: Unit): boolean {
    const clients = this.#clients.get(outline.module.file) ?? clientsIn(outline, this.#sources.speaksHttp);
    this.#clients.set(outline.module.file, clients);
    return this.#sources.holdsPart(unit.text.replaceAll(wholeUrl, '')) || (clients.has(unit) && holdsValues(outline, unit));
  }
}
