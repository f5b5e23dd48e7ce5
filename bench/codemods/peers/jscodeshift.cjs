/**
 * The transform that one would write first: strings and headers by what they look like, whoever's they are.
 * It does not print a file in which it changed nothing, which is the faster way to use jscodeshift.
 */
module.exports = function naive({ source }, { j }) {
  const root = j(source);
  let changes = 0;
  root.find(j.StringLiteral).forEach(({ node }) => {
    if (!node.value.includes('/v1/')) return;
    node.value = node.value.replace('/v1/', '/v2/');
    changes += 1;
  });
  root.find(j.TemplateElement).forEach(({ node }) => {
    if (!node.value.raw.includes('/v1/')) return;
    const text = node.value.raw.replace('/v1/', '/v2/');
    node.value = { raw: text, cooked: text };
    changes += 1;
  });
  root.find(j.ObjectProperty, { key: { value: 'x-api-key' } }).forEach(({ node }) => {
    node.key = j.stringLiteral('Authorization');
    const ends = [j.templateElement({ raw: 'Bearer ', cooked: 'Bearer ' }, false), j.templateElement({ raw: '', cooked: '' }, true)];
    node.value = j.templateLiteral(ends, [node.value]);
    changes += 1;
  });
  return changes > 0 ? root.toSource() : undefined;
};
