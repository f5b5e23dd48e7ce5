/**
 * Adapters of axios that a test writes: `client.defaults.adapter = async (config) => …`, `axios.create({ adapter })`. They get what axios asks, with the names
 * of headers as the client writes them.
 */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { receivedBy } from './mock-function.ts';

/** What one instance asks, its adapter gets, and no other. */
export const putInPlace: NonNullable<ClientRule['givenInPlaceOf']> = (target, _index, { node, module }) => {
  const client = target.type === 'method' && target.path.join('.') === 'defaults.adapter' ? target.receiver : undefined;
  return client?.type === 'http' && isTest(module)
    ? { ...receivedBy({ node, module }, {}, true), mock: { recordedOf: { origins: client.origins } } }
    : undefined;
};

export const givenAsOption: NonNullable<ClientRule['given']> = ({ within, node, module }) =>
  within.join('.') === 'adapter' ? receivedBy({ node, module }, {}, true) : undefined;

/** `new Gateway({ key, adapter: async (config) => … })`: what the program hands on to axios, as its name says. */
export const handedOn: NonNullable<ClientRule['standIn']> = (fn, module) => {
  const { parent } = fn;
  const call = parent?.kind === 'property' && parent.name === 'adapter' ? parent.parent?.parent : undefined;
  if (call?.kind !== 'call' || !isTest(module)) return undefined;
  return {
    value: { type: 'function', node: fn, module, frame: undefined },
    given: (index, node) => (index === 0 ? receivedBy({ node, module }, {}, true) : undefined),
  };
};
