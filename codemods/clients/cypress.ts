/** Cypress: https://docs.cypress.io/api/commands/intercept. `cy.intercept` stands for requests of a page, `cy.request` makes one itself. */
import { flat, isAbsolute } from '../evaluate/text.ts';
import { optionsOf, partsOf, plainText, type Value } from '../evaluate/values.ts';
import type { ClientRule, RuleCall } from '../evaluate/client-rule.ts';
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
  return { ...made(name, 'request', call, described), mock: texts.some((text) => text.includes('*')) ? { expects: 'part' } : {} };
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

export const cypressRule: ClientRule = { name, title: 'Cypress', isForTests: true, globals: ['cy'], call };
