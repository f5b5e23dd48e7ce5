/** n8n's nodes: https://docs.n8n.io/integrations/creating-nodes. Request helpers, and requests that a description declares. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { made, option } from '../../shapes.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { choiceOf, type ObjectValue, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';
import type { ClassNode, FunctionNode } from '../../../syntax/tree.ts';
import { credentialsNamed, fieldsOf, headersOf, nameOf, onlyHeaders } from './n8n-descriptions.ts';
import { chosenFor } from './n8n-parameters.ts';
import { declared, described, n8n as name } from './n8n-routing.ts';

/** Of those that send credentials, where these are named and where the options stand. */
const authenticating = new Map([
  ['httpRequestWithAuthentication', { by: 0, options: 1 }],
  ['requestWithAuthentication', { by: 0, options: 1 }],
  ['requestWithAuthenticationPaginated', { by: 3, options: 0 }],
]);
const helpers = ['httpRequest', 'request', ...authenticating.keys()];

/** `this.helpers.httpRequest(options)`, `this.helpers.httpRequestWithAuthentication.call(this, 'credentials', options)` */
function call(call: RuleCall): Value | undefined {
  const [verb = ''] = call.path;
  if (verb === 'getCredentials') return givenCredentials(call);
  if (verb === 'getNodeParameter') return givenParameter(call);
  const sending = authenticating.get(verb);
  const options = call.args[sending?.options ?? 0];
  if (options === undefined) return undefined;
  const credentials = sending && authentication(call.ev, call.args[sending.by]);
  if (options.type !== 'object') return made(name, 'request', call, { url: options, headers: [credentials] });
  return made(name, 'request', call, {
    base: option(call, options, 'baseURL', 'baseUrl'),
    url: option(call, options, 'url', 'uri'),
    method: option(call, options, 'method') ?? 'GET',
    headers: [credentials, option(call, options, 'headers')],
    join: 'slash',
  });
}

/** `await this.getCredentials('messagingApi')`: what people filled in, or the defaults of the form. */
function givenCredentials({ ev, args: [wanted], node, module }: RuleCall): Value | undefined {
  const found = wanted && credentialsNamed(ev, wanted);
  if (found === undefined || found.length === 0 || found.includes(undefined)) return undefined;
  return choiceOf(
    found.flatMap((of): ObjectValue[] =>
      of === undefined ? [] : [{ type: 'object', node, module, entries: fieldsOf(ev, of), unknown: [unknown(node, module)] }],
    ),
  );
}

/** `this.getNodeParameter('resource', i)`; what is given in its place where it is not set is one of its values, too. */
function givenParameter({ ev, args: [wanted, , otherwise] }: RuleCall): Value | undefined {
  const name = wanted && plainText(wanted);
  const chosen = name === undefined ? undefined : chosenFor(ev, name);
  return chosen === undefined || otherwise === undefined ? chosen : choiceOf([chosen, otherwise]);
}

/** The headers of the credentials that a request names; of the only ones that are there, where nobody knows which. */
function authentication(ev: Evaluation, wanted: Value | undefined): Value | undefined {
  const named = wanted && credentialsNamed(ev, wanted);
  const headers = (named === undefined ? onlyHeaders(ev) : named.map((each) => each && headersOf(ev, each))).filter(
    (each) => each !== undefined,
  );
  return headers.length === 0 ? undefined : choiceOf(headers);
}

const keysUnder = (of: ClassNode, at: At, ev: Evaluation): string | undefined =>
  of.members.some((each) => each.name === 'authenticate') ? plainText(nameOf(ev, { node: of, at })) : undefined;

/**
 * `async execute(this: IExecuteFunctions)` of a class, `loadOptions: { async getContacts() { return this.helpers.httpRequest(…) } }`: called on what n8n gives,
 * and not on what it stands in.
 */
function thisIn(_ev: Evaluation, fn: FunctionNode, { module }: At): Value | undefined {
  if (!ofN8n.test(module.text)) return undefined;
  const text = module.text.slice(fn.start, fn.end);
  if (typed.test(text)) return unknown(fn, module);
  const object = fn.parent?.kind === 'property' ? fn.parent.parent : undefined;
  if (object?.kind !== 'object' || object.properties.some((each) => each.kind === 'property' && each.name === 'helpers')) return undefined;
  return takesHelpers.test(text) ? unknown(fn, module) : undefined;
}

const takesHelpers = /\bthis\.helpers\b|\bhelpers\b[^{}]*\} = this\b/;
const typed = /^[^(){}]*\(\s*this\s*:\s*I\w+Functions\b/;
const ofN8n = /\bn8n-workflow\b/;

/** Whoever asks by the name of credentials, and what descriptions declare. */
function reachedBy(text: string): RegExp {
  const [, credentials] = /\bname\s*(?::\s*string\s*)?=\s*(['"][\w-]+['"])/.exec(text) ?? [];
  return new RegExp(['n8n-workflow', 'WithAuthentication', ...(credentials === undefined ? [] : [credentials.slice(1, -1)])].join('|'));
}

export const n8nRule: ClientRule = {
  name,
  methods: [...helpers.map((helper) => `helpers.${helper}`), 'getCredentials', 'getNodeParameter'],
  declares: { names: described, where: /\brouting\b|\bn8n-workflow\b/ },
  call,
  declared,
  keysUnder,
  thisIn,
  ambient: { mark: /\brequestDefaults\b|\bICredentialType\b/, reached: reachedBy },
};
