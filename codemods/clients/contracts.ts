/** Contracts: what files of a project say a service has, of which libraries make clients. */
import type { SourceModule } from '../evaluate/module.ts';
import type { Node } from '../syntax/tree.ts';
import { isHeaderOfRoute, isPathOfRoute } from './http/contracts/ts-rest.ts';
import { isHeaderOfEndpoint, isPathOfEndpoint } from './http/contracts/zodios-endpoints.ts';

/** Whether a text is the path of a route in a contract: nothing is decided by it. */
export const isPathOfContract = (node: Node): boolean => isPathOfRoute(node) || isPathOfEndpoint(node);

/** Whether a name of a header stands where a contract says which headers there are: what asks is of that type. */
export const isHeaderOfContract = (node: Node, module: SourceModule): boolean =>
  isHeaderOfRoute(node, module) || isHeaderOfEndpoint(node, module);
