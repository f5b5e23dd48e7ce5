// Runs on old Nodes too, as the first import of the library and of the transforms: see cli/bin.ts. Before any of their files runs all are
// read, and what is missing is found: none imports from Node by name what an old one does not have, but takes it from the module when it runs.
import { nodeProblem, recommended } from './node-version.ts';

const problem = nodeProblem(process.versions.node);
if (problem !== '') {
  const remedy = `run the program that imports it on Node ${recommended}, for example with npx -y -p node@${recommended} node and its file`;
  throw Object.assign(new Error(`${problem}; ${remedy}`), { name: 'NodeError', code: 'NODE_TOO_OLD' });
}
