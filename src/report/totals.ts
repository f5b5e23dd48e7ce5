import type { IgnoreRule } from '../usage/ignored.ts';
import type { Totals as Row } from '../usage/store/store.ts';
import type { Client, Group } from './clients.ts';
import { Tally, Uses } from './tally.ts';

/** What was called of one endpoint, and by whom. */
export class EndpointTotals {
  readonly tally = new Tally();
  readonly clients = new Set<Client>();
  readonly groups = new Set<Group>();
}

/** The calls of ignored clients, or to ignored endpoints. */
export class IgnoredTotals {
  readonly tally = new Tally();
  readonly clients = new Set<Client>();
}

/** Adds up the calls of the period for all that the report tells apart. */
export class Totals {
  readonly all = new Tally();
  readonly unidentified = new EndpointTotals();
  readonly unidentifiedUses = new Uses();
  readonly endpoints = new Map<string, EndpointTotals>();
  readonly ignored: ReadonlyMap<IgnoreRule, IgnoredTotals>;
  /** What all of these called. */
  readonly ignoredUses = new Uses();

  constructor(rules: readonly IgnoreRule[]) {
    this.ignored = new Map(rules.map((rule) => [rule, new IgnoredTotals()]));
  }

  add({ kind, counts }: Row, client: Client | undefined): void {
    if (client === undefined) return;
    const rule = ruleFor(client, kind.endpoint);
    if (rule !== undefined) {
      const ignored = this.ignored.get(rule);
      ignored?.tally.add(kind, counts);
      ignored?.clients.add(client);
      this.ignoredUses.add(kind, counts);
      return;
    }
    const endpoint = this.#endpoint(kind.endpoint);
    endpoint.clients.add(client);
    if (client.key === undefined) {
      this.unidentified.clients.add(client);
      this.unidentifiedUses.add(kind, counts);
    } else {
      endpoint.groups.add(client.key.group);
      client.key.group.uses.add(kind, counts);
    }
    client.uses.add(kind, counts);
    for (const tally of this.#tallies(client, endpoint)) tally.add(kind, counts);
  }

  /** Calls of the time before the period. */
  addBefore({ kind, counts }: Row, client: Client | undefined): void {
    if (client === undefined || ruleFor(client, kind.endpoint) !== undefined) return;
    for (const tally of this.#tallies(client, this.#endpoint(kind.endpoint))) tally.before += counts.calls;
  }

  #tallies(client: Client, endpoint: EndpointTotals): readonly Tally[] {
    const whose = client.key === undefined ? [this.unidentified.tally] : [client.key.tally, client.key.group.tally];
    return [this.all, endpoint.tally, client.tally, ...whose];
  }

  #endpoint(name: string): EndpointTotals {
    let endpoint = this.endpoints.get(name);
    if (endpoint === undefined) this.endpoints.set(name, (endpoint = new EndpointTotals()));
    return endpoint;
  }
}

const ruleFor = ({ ignored }: Client, endpoint: string): IgnoreRule | undefined => ignored.all ?? ignored.endpoints.get(endpoint);
