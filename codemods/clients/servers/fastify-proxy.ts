/** @fastify/http-proxy: https://github.com/fastify/fastify-http-proxy. What a program's server is asked below `prefix` goes to `upstream`, with `rewritePrefix` in its place. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { concatenated } from '../../evaluate/values/text.ts';
import { choiceOf, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { PropertyNode } from '../../syntax/tree.ts';
import { headersSetBy } from '../callbacks.ts';
import { mounted } from './dev-proxy.ts';

/** `{ upstream: 'https://…', prefix: '/api', rewritePrefix: '/v1', replyOptions: { rewriteRequestHeaders } }` */
function declared(property: PropertyNode, at: At, ev: Evaluation): Value | undefined {
  const settings = property.parent?.kind === 'object' ? ev.evaluate(property.parent, at) : undefined;
  if (settings?.type !== 'object' || settings.unknown.length > 0) return undefined;
  const of = (value: Value, name: string): Value => ev.member(value, name, property, at);
  const [prefix, rewritten, reply] = [of(settings, 'prefix'), of(settings, 'rewritePrefix'), of(settings, 'replyOptions')];
  // What chooses the host or the path by the request is not followed.
  if (isSet(of(settings, 'preRewrite')) || ['getUpstream', 'queryString'].some((name) => isSet(reply) && isSet(of(reply, name))))
    return undefined;
  if (isSet(rewritten) && plainText(rewritten) === undefined) return undefined;
  const headers = isSet(reply) ? headersSetBy(ev, of(reply, 'rewriteRequestHeaders'), 1, []) : undefined;
  const found = optionsOf(of(settings, 'upstream')).filter(({ type }) => type === 'text' || type === 'env');
  return found.length === 0
    ? undefined
    : choiceOf(
        found.map((upstream) =>
          mounted(
            { ...at, node: property },
            isSet(rewritten) ? concatenated([upstream, rewritten]) : upstream,
            prefix.type === 'text' ? prefix : undefined,
            true,
            headers === undefined ? [] : [headers],
          ),
        ),
      );
}

const isSet = (value: Value): boolean => value.type !== 'literal' || value.value !== undefined;

export const fastifyProxyRule: ClientRule = {
  name: 'fastify-proxy',
  title: '@fastify/http-proxy',
  declares: { names: ['upstream'], where: /['"](?:@fastify\/http-proxy|fastify-http-proxy)['"]/ },
  declared,
};
