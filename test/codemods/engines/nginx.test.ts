import { describe, expect, it } from 'vitest';
import { SyntaxFault } from '../../../codemods/engines/engine.ts';
import { nginx } from '../../../codemods/engines/nginx.ts';
import { walk } from '../../../codemods/syntax/link.ts';
import { sketch } from './sketch.ts';

const bodyOf = (text: string): string => nginx.parse('a.nginx', text).program.body.map(sketch).join(' ').replaceAll('NginxDirective', 'D');

describe('a configuration of nginx', () => {
  it.each([
    ['listen 80;', 'D(listen 80)'],
    ['server { a; b c; }', 'D(server D(a) D(b c))'],
    ['server{a;}', 'D(server D(a))'],
    ['a "b c" \'d;{}\';', 'D(a "b c" \'d;{}\')'],
    [String.raw`a "b\"c" \w+;`, String.raw`D(a "b"c" \w+)`],
    ['a x;# b;\n# {\nc;', 'D(a x) D(c)'],
    ['a b#c;', 'D(a b#c)'],
    ['if ($a = "") { b; }', 'D(if `(${}`(NginxVariable) = "" ) D(b))'],
    ['a https://${API_HOST}/v1/$1$is_args;', 'D(a `https://${}/v1/${}${}`(.API_HOST(.env(process)) NginxVariable NginxVariable))'],
    ['location ~ ^/a$ { b; }', 'D(location ~ ^/a$ D(b))'],
    ['', ''],
  ])('%j has the directives %s', (text, expected) => {
    expect(bodyOf(text)).toBe(expected);
  });

  it.each([
    ['a', 'the end of the file in a directive'],
    ['server { a;', 'the end of the file in a block'],
    ['server { a; } }', 'a brace too many'],
    ['a {{ b }};', 'what a template puts in'],
    ['a "b', 'a quote too few'],
    ['a "b"c;', 'what stands behind a quote'],
    ['content_by_lua_block { ngx.say("a") }', 'Lua'],
  ])('%j is none, for %s', (text) => {
    expect(() => nginx.check('a.nginx', text)).toThrow(SyntaxFault);
  });

  it('is none where it is nested too deeply for any stack', () => {
    expect(() => nginx.check('a.nginx', 'a { '.repeat(200_000))).toThrow(SyntaxFault);
  });

  it('has the comments that are for the kit', () => {
    const text = '# a\nb; # migrate-v2-ignore: old builds\n';
    expect(nginx.parse('a.nginx', text).comments).toEqual([{ start: 7, end: 38, text: '# migrate-v2-ignore: old builds' }]);
  });

  it('has every text at its place', () => {
    const text = 'server { a "b c" d; e https://$f/v1/; }';
    const found: string[] = [];
    walk(nginx.parse('a.nginx', text).program, (node) => {
      if (node.kind === 'string') found.push(text.slice(node.start, node.end));
      if (node.kind === 'template') for (const each of node.texts) found.push(text.slice(each.start, each.end));
    });
    expect(found).toEqual(['server', 'a', '"b c"', 'd', 'e', 'https://', '/v1/']);
  });
});
