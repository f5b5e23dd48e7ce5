/** Expectations that repeat what the program itself says, word for word. */
import { isKeyHeader, v1Auth } from '../../../../src/contract/auth.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { keysOf } from '../../../evaluate/names/computed-names.ts';
import { isLeftToDefault } from '../../../evaluate/language/or-default.ts';
import { flat, isAbsolute, sliceParts, unknownPart } from '../../../evaluate/values/text.ts';
import { setTo } from '../../../evaluate/settings/variables-set.ts';
import { type Provenance } from '../../../evaluate/values/provenance.ts';
import {
  after,
  choiceOf,
  type ChoiceValue,
  type Entry,
  type HttpValue,
  optionsOf,
  plainText,
  type TextValue,
  type Value,
} from '../../../evaluate/values/values.ts';
import { escaped } from '../../../find/words/literals.ts';
import type { Expression, Node } from '../../../syntax/tree.ts';
import { baseNames } from './expected-calls.ts';
import { headerReadIn, withoutMatchers } from './expected-headers.ts';
import { type About, isVersioned, request, versioned } from './expected-request.ts';
import { ruleNamed } from '../../../evaluate/libraries/rules.ts';

/** All that an expectation repeats. */
export const echoed = (about: About, actualNode: Expression, value: Value, valueNode: Expression): HttpValue[] => [
  ...echoesOf(about, madeWith(about.actual, about.call.ev), value),
  ...echoedRead(about, actualNode, { node: about.call.node, module: about.call.module, valueNode, value: () => value }),
];

/**
 * `expect(config.baseUrl).toBe('…')`, `expect(headersOf(key)).toEqual({ … })`.
 * @param around the objects of the expected that it stands in: one that holds itself is looked into once
 */
function echoesOf(about: About, actual: Value, value: Value, around: readonly Node[] = []): HttpValue[] {
  if (actual.type === 'text' && value.type === 'text') return echoedTexts(about, [actual], value);
  if (value.type === 'text') {
    // What the test itself sets a variable to is expected of what reads it.
    const { ev, module } = about.call;
    const read = optionsOf(actual).flatMap((each) => (each.type === 'env' ? (setTo(ev, module, each.name, flat(value.parts)) ?? []) : []));
    const [set, ...others] = new Set(read);
    if (set !== undefined) return others.length > 0 ? [] : echoedText(about, set, value);
  }
  // `config.get('url')`: of what whoever runs it may set, a test sees the default.
  if (actual.type === 'choice' && value.type === 'text') {
    const said = actual.options.filter((option) => !isLeftToDefault(option));
    // A part of it may be in what it is set to as well.
    const whole = { ...about, isPart: false };
    const texts = said.flatMap((option) => (option.type === 'text' ? after(option, actual.provenance) : []));
    return texts.length < said.length ? [] : echoedTexts(whole, texts, value);
  }
  if (actual.type === 'list' && value.type === 'list')
    return value.items.flatMap((item, index) => {
      const own = actual.items[index];
      return own === undefined ? [] : echoesOf(about, own, item, around);
    });
  if (actual.type !== 'object' || value.type !== 'object' || around.includes(value.node)) return [];
  const inside = [...around, value.node];
  return value.entries.flatMap((entry) => {
    const own = actual.entries.findLast(({ name: other }) => other !== undefined && other === entry.name);
    if (own === undefined) return [];
    if (!isKeyHeader(entry.name)) return echoesOf(about, own.value(), entry.value(), inside);
    // What the test itself gives it is no word of the program.
    const isGiven = actual.entries.some(({ name, key }) => isKeyHeader(name) && key?.source?.module === about.call.module);
    return isGiven ? [] : echoedHeader(about, own, entry, actual.provenance);
  });
}

/** … where a text may be one of several. */
function echoedTexts(about: About, texts: readonly TextValue[], value: TextValue): HttpValue[] {
  const same = texts.flatMap((each) => echoedText(about, each, value));
  const [set, ...others] = same.length > 0 ? [] : texts.flatMap((each) => setToBe(each, value) ?? []);
  // Where two may be set to it, nobody knows which is meant.
  return set === undefined || others.length > 0 ? same : echoedText(about, set, value);
}

function echoedText(about: About, actual: TextValue, value: TextValue): HttpValue[] {
  const echoes = about.isPart === true ? soughtIn(actual, flat(value.parts)) : actual;
  return saysSame(echoes, value) ? [request(about, { url: value, headers: [], expects: 'value', echoes })] : [];
}

/** A text that begins with what somebody sets, `${process.env.URL}/v1`, with what that has to be in a test that expects an address of it. */
function setToBe(actual: TextValue, expected: TextValue): TextValue | undefined {
  const [front, ...more] = actual.parts;
  const [behind, whole] = [flat(more), flat(expected.parts).replace(/\/$/, '')];
  const text = whole.slice(0, whole.length - behind.length);
  const isSet = front !== undefined && 'unknownPart' in front && !behind.includes(unknownPart) && whole === text + behind;
  return isSet && isAbsolute(text) && !versioned.test(text) && versioned.test(behind)
    ? { ...actual, parts: [{ text }, ...more] }
    : undefined;
}

/**
 * `test.each([[contacts(1), '/v1/contacts?page=1'], [message('m'), '/v1/messages/m']])('%s', (path, expected) => expect(path).toBe(expected))`: what each row expects
 * repeats one text of the program. All that the program may say is known, and which text that is, leaves no doubt: what a row says is then one of these.
 */
export function echoedInRows(about: About, rows: ChoiceValue): HttpValue[] {
  const actual = madeWith(about.actual, about.call.ev);
  if (rows.why !== undefined || actual.why !== undefined) return [];
  if (actual.type === 'object') return rows.options.flatMap((row) => (row.type === 'object' ? echoesOf(about, actual, row) : []));
  const said = optionsOf(actual).flatMap((option) => (option.type === 'text' ? after(option, actual.provenance) : []));
  if (said.length < optionsOf(actual).length) return [];
  // A table of many rows is held against many texts.
  const patterns = said.map((each) => ({ each, pattern: saying(each) }));
  return rows.options.flatMap((row) => {
    const text = row.type === 'text' ? flat(row.parts) : undefined;
    const own = text === undefined ? [] : patterns.flatMap(({ each, pattern }) => (pattern.test(text) ? each : []));
    const places = new Set(own.map(versionPlaceIn));
    return row.type === 'text' && places.size === 1 && !places.has(undefined)
      ? own.slice(0, 1).flatMap((each) => echoedText(about, each, row))
      : [];
  });
}

/** The texts that a text may be, whatever is not known of it. */
const saying = ({ parts }: TextValue): RegExp => new RegExp(`^${flat(parts).split(unknownPart).map(escaped).join('[^]*')}/?$`);

/** The text that the version of a path stands in. */
const versionPlaceIn = ({ parts }: TextValue): Node | undefined => {
  const part = parts.find((each) => 'text' in each && versioned.test(each.text));
  return part !== undefined && 'text' in part ? part.source?.node : undefined;
};

/** The part of a text that is sought in it, if it is there once: `expect(config.baseUrl).toContain('/v1')`. */
function soughtIn(text: TextValue, sought: string): TextValue {
  const whole = flat(text.parts);
  const start = whole.indexOf(sought);
  const isOnce = start !== -1 && !whole.includes(sought, start + 1);
  return isOnce ? { ...text, parts: sliceParts(text.parts, start, start + sought.length) } : text;
}

/**
 * `client.defaults.baseURL`, `client.defaults.headers`: what the program made a client with; any other value as it is. One that is made when it is first asked for
 * is nothing until then, of which no test reads anything.
 */
const madeWith = (value: Value, ev: Evaluation): Value => {
  const options = optionsOf(value);
  const made = options.filter((each) => each.type !== 'literal' || each.why !== 'absent');
  return choiceOf(
    (made.length > 0 ? made : options).map((each) => {
      const on = each.type === 'method' ? each.receiver : undefined;
      if (each.type !== 'method' || on?.type !== 'http' || on.stage !== 'client' || on.mock !== undefined) return each;
      const defaults = ruleNamed(ev.rules, on.client)?.defaults ?? [];
      const [what = '', ...more] = each.path.slice(defaults.length);
      const isDefault = defaults.length > 0 && defaults.every((name, index) => each.path[index] === name);
      if (!isDefault || more.some((name) => name !== 'common')) return each;
      return (baseNames.includes(what) ? on.base : what === 'headers' ? (setOn(ev, on) ?? madeWithHeaders(on, more)) : undefined) ?? each;
    }),
  );
};

/** `axios.create({ headers: { common: { … } } })` has them where they were given. */
function madeWithHeaders({ headers: [all] }: HttpValue, [group]: readonly string[]): Value | undefined {
  const own = all?.type === 'object' ? all.entries.findLast(({ name }) => name !== undefined && name === group)?.value() : undefined;
  return own?.type === 'object' ? own : all;
}

/** `client.defaults.headers.common['x-api-key'] = key`, wherever that is said. */
function setOn(ev: Evaluation, client: HttpValue): Value | undefined {
  const isOfClient = (each: Value): boolean =>
    each.type === 'method' && each.receiver.type === 'http' && each.receiver.node === client.node;
  const entries = [...ev.world.modules.values()].flatMap((module) =>
    module.writes.flatMap(({ target, value: valueNode }): Entry[] => {
      if (target.kind !== 'member' || target.computed?.kind !== 'string' || !isKeyHeader(target.computed.value)) return [];
      const at: At = { module, frame: undefined };
      if (!optionsOf(ev.evaluate(target.object, at)).some(isOfClient)) return [];
      return keysOf(ev.evaluate(target.computed, at)).map((key) => ({
        ...key,
        node: target,
        module,
        valueNode,
        value: () => ev.evaluate(valueNode, at),
      }));
    }),
  );
  return entries.length === 0 ? undefined : { type: 'object', node: client.node, module: client.module, entries, unknown: [] };
}

/** Whether a text is the other but for what is not known of that behind the version, as ids are: what strips slashes gives back what it was given, but for these. */
function saysSame(actual: TextValue, value: TextValue): boolean {
  const [own, other] = [flat(actual.parts), flat(value.parts)];
  const known = own.replace(/\/$/, '').split(unknownPart).map(escaped);
  const differ = [...own].findIndex((each, index) => each !== other[index]);
  return new RegExp(`^${known.join('[^?#]*')}/?$`).test(other) && versioned.test(differ === -1 ? own : own.slice(0, differ));
}

/**
 * `expect(paths).toMatchInlineSnapshot(`{ "list": "/v1/contacts" }`)`: a test runner has written there what the program says.
 * @returns nothing where it names the key, too, or one text may stand for several
 */
export function echoesInSnapshot(about: About, actual: Value, snapshot: Value): HttpValue[] {
  if (snapshot.type !== 'text') return [];
  const written = flat(snapshot.parts);
  if (written.toLowerCase().includes(v1Auth.field)) return [];
  return [...Map.groupBy(linesOf(actual), ([line]) => line)].flatMap(([line, [own, ...others]]) => {
    const at = written.indexOf(line);
    if (own === undefined || others.length > 0 || at === -1 || written.includes(line, at + 1)) return [];
    const [, text] = own;
    const end = at + line.length - 1;
    const url: TextValue = { ...snapshot, parts: sliceParts(snapshot.parts, end - flat(text.parts).length, end) };
    return isVersioned(url) ? [request(about, { url, headers: [], expects: 'value', echoes: text })] : [];
  });
}

/** Texts in a value as a snapshot has them, behind the name of their property. */
function linesOf(value: Value, name = '', around: readonly Node[] = []): [line: string, text: TextValue][] {
  if (value.type === 'text') return plainText(value) === undefined ? [] : [[`${name}"${plainText(value)}"`, value]];
  if (value.type === 'list') return value.items.flatMap((item) => linesOf(item, '', around));
  if (value.type !== 'object' || around.includes(value.node)) return [];
  return value.entries.flatMap((entry) => linesOf(entry.value(), `"${entry.name}": `, [...around, value.node]));
}

/** `expect(headersOf(key)['x-api-key']).toBe('…')`, `expect(client.defaults.headers['x-api-key']).toBeDefined()`. */
export function echoedRead(about: About, actualNode: Expression, expected: Omit<Entry, 'name' | 'key'>): HttpValue[] {
  const { call } = about;
  const read = headerReadIn(actualNode, call);
  if (read === undefined || actualNode.kind !== 'member') return [];
  const owner = madeWith(call.ev.evaluate(actualNode.object, call), call.ev);
  const own = owner.type === 'object' ? owner.entries.findLast((entry) => isKeyHeader(entry.name)) : undefined;
  return own === undefined ? [] : read.flatMap((key) => echoedHeader(about, own, { ...key, ...expected }, owner.provenance));
}

/** `expect(headersOf(key)).to.have.property('x-api-key', '…')`, `expect(config).toHaveProperty('url', '…')`. */
export function echoedProperty(about: About, entry: Entry): Value | undefined {
  const { node, module } = about.call;
  const expected: Value = { type: 'object', node, module, entries: [entry], unknown: [] };
  const found = optionsOf(madeWith(about.actual, about.call.ev)).flatMap((owner) => echoesOf(about, owner, expected));
  return found.length === 0 ? undefined : choiceOf(found);
}

function echoedHeader(about: About, { key }: Entry, entry: Entry, provenance: Provenance): HttpValue[] {
  if (key === undefined || key === entry.key) return [];
  const { node, module } = about.call;
  const named: Value = { type: 'object', node, module, entries: [entry], unknown: [] };
  // Where no value is written, any is expected.
  const headers = entry.valueNode === undefined ? named : withoutMatchers(named);
  return [request(about, { headers: [headers], expects: 'value', echoes: { type: 'text', parts: [key], provenance } })];
}
