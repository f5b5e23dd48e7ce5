/**
 * Mini programs: WeChat's https://developers.weixin.qq.com/miniprogram/en/dev/api/network/request/wx.request.html, those with the same call, and what builds them:
 * https://uniapp.dcloud.net.cn/api/request/request.html, https://docs.taro.zone/docs/apis/network/request.
 */
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { type HttpValue, optionsOf, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';
import { headersSetBy, isGivenAway, replacedBy } from '../../callbacks.ts';
import { made, option } from '../../shapes.ts';

const name = 'mini-programs';

/** `wx.request({ url, method, header })` */
function call(call: RuleCall): Value | undefined {
  const [options] = call.args;
  if (call.path.join('.').replace(/^default\./, '') !== 'request' || options === undefined) return undefined;
  return made(name, 'request', call, {
    url: option(call, options, 'url'),
    method: option(call, options, 'method') ?? 'GET',
    headers: [option(call, options, 'header')],
  });
}

/** `uni.addInterceptor('request', { invoke(args) { … } })`; what Taro's do to the chain that they are given is not followed. */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path.join('.') !== 'addInterceptor') return undefined;
  const { node, module, frame } = mutation;
  const moved = { moved: unknown(node, module, 'assigned') };
  const [event, hooks] = node.args.map((arg) => (arg.kind === 'spread' ? unknown(arg, module) : ev.evaluate(arg, mutation)));
  const asked = event === undefined ? undefined : plainText(event);
  if (asked === undefined || hooks === undefined) return moved;
  if (asked !== 'request') return undefined;
  const invoked = optionsOf(ev.member(hooks, 'invoke', node, { module, frame }));
  const isMoved = invoked.some((each) => isGivenAway(ev, each, 0) || replacedBy(ev, each, 0, 'url').length > 0);
  return { headers: invoked.flatMap((each) => headersSetBy(ev, each, 0, ['header']) ?? []), ...(isMoved ? moved : {}) };
}

export const miniProgramsRule: ClientRule = {
  name,
  title: 'Mini programs',
  modules: ['@tarojs/taro'],
  globals: ['wx', 'uni', 'tt', 'swan'],
  call,
  additions,
  addsBy: ['addInterceptor'],
  ambient: { mark: /\baddInterceptor\b/, reached: /\buni\s*\??\.|@tarojs\/taro/, isSilent: true },
};
