/**
 * A transform that makes the edits that migrate-v2 makes in the generated trees, to the character. It goes by what strings look like, and
 * knows by its host the one vendor that looks alike: what it leaves out is the proof. It does not print a file in which it changed nothing.
 */
const path = /(^|\/)v1(?=\/(?:messages|contacts|campaigns)\b)/;
const vendor = 'https://payments.example.net';

module.exports = function transform({ source }, { j }) {
  if (source.includes(vendor)) return undefined;
  const root = j(source);
  let changes = 0;
  root.find(j.StringLiteral).forEach(({ node }) => {
    if (!path.test(node.value)) return;
    node.value = node.value.replace(path, '$1v2');
    changes += 1;
  });
  root.find(j.TemplateElement).forEach(({ node }) => {
    if (!path.test(node.value.raw)) return;
    const text = node.value.raw.replace(path, '$1v2');
    node.value = { raw: text, cooked: text };
    changes += 1;
  });
  root.find(j.ObjectProperty, { key: { value: 'x-api-key' } }).forEach(({ node }) => {
    node.key = j.identifier('Authorization');
    const ends = [j.templateElement({ raw: 'Bearer ', cooked: 'Bearer ' }, false), j.templateElement({ raw: '', cooked: '' }, true)];
    node.value = j.templateLiteral(ends, [node.value]);
    changes += 1;
  });
  return changes > 0 ? root.toSource({ quote: 'single' }) : undefined;
};
