import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Flight } from '../../../proxy/reuse/flight.ts';
import { Flights } from '../../../proxy/reuse/flights.ts';

const host = { closed() {}, whole() {}, parted() {}, again() {}, spared() {}, crowded() {} };

function flightOf(key: string, path: string): Flight {
  const request = { method: 'GET', path, fields: [], body: null, purpose: undefined };
  return new Flight(request, { key, group: '', resource: 'messages', asked: undefined, again: false }, host);
}

/** Many share a place: their ends are the same. */
const path = fc.constantFrom('/v2/messages/a_12345678', '/v2/messages/b_12345678', '/v2/contacts', '/v2/campaigns/c_12345678');
const key = fc.constantFrom('sk_1', 'a_sk_1', 'sk_2');
const step = fc.record({ key, path, adds: fc.boolean() });

it('whatever comes and goes, exactly what is under way is found', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const flights = new Flights();
      const under = new Map<string, Flight>();
      for (const { key, path, adds } of steps) {
        const name = `${key} ${path}`;
        const there = under.get(name);
        expect(flights.get(key, path)).toBe(there);
        if (adds && there === undefined) {
          const flight = flightOf(key, path);
          flights.add(flight);
          under.set(name, flight);
        } else if (!adds) {
          flights.delete(there ?? flightOf(key, path));
          under.delete(name);
        }
        expect(new Set(flights.all())).toEqual(new Set(under.values()));
      }
    }),
  );
});
