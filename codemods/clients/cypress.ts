/** Cypress: https://docs.cypress.io/api/commands/intercept. `cy.intercept` stands for requests of a page, `cy.request` makes one itself. */
import { flat, isAbsolute } from '../evaluate/text.ts';
import { type HttpValue, optionsOf, partsOf, plainText, type Value } from '../evaluate/values.ts';
import type { ClientRule, Given, RuleCall } from '../evaluate/client-rule.ts';
import { receivedBy } from './mock-function.ts';
import { made, option } from './shapes.ts';

const name = 'cypress';

function call(call: RuleCall): Value | undefined {
  const [verb, ...more] = call.path;
  if (call.on !== undefined || more.length > 0 || (verb !== 'intercept' && verb !== 'request')) return undefined;
  const described = describedBy(call);
  const { url } = described;
  if (url?.type !== 'text' && url?.type !== 'choice') return undefined;
  const texts = optionsOf(url).map((each) => flat(partsOf(each)));
  // What stands alone is asked of the application itself.
  if (verb === 'request') return texts.every(isAbsolute) ? made(name, 'request', call, described) : undefined;
  return { ...made(name, 'request', call, described), ...mockOf(url) };
}

/** What stands for many has stars. */
const mockOf = (url: Value): Pick<HttpValue, 'mock'> => ({
  mock: optionsOf(url).some((each) => flat(partsOf(each)).includes('*')) ? { expects: 'part' } : {},
});

/** `cy.intercept(url, (req) => …)` */
function given({ path, on, index, argument, within, node, module, call, ev }: Given): Value | undefined {
  if (on !== undefined || path.at(-1) !== 'intercept' || index !== 0 || argument === 0 || within.length > 0) return undefined;
  const at = { module, frame: undefined };
  const { url } = describedBy({ ...at, path, on, node: call, args: ev.args(call, at), ev });
  return url && { ...receivedBy({ node, module }, { url }), ...mockOf(url) };
}

/** `(url, …)`, `(method, url, …)`, `({ method, url, headers }, …)`. */
function describedBy(call: RuleCall): { readonly url: Value | undefined; readonly method?: Value; readonly headers?: Value[] } {
  const [first, second] = call.args;
  if (first?.type === 'object') {
    const [method, headers] = [option(call, first, 'method'), option(call, first, 'headers')];
    return {
      url: option(call, first, 'url'),
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers: [headers] }),
    };
  }
  const isMethod = first !== undefined && /^[A-Z]+$/.test(plainText(first) ?? '');
  return isMethod ? { url: second, method: first } : { url: first };
}

export const cypressRule: ClientRule = { name, title: 'Cypress', isForTests: true, globals: ['cy'], call, given };
