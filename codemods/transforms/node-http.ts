import { transformOf } from './shared/transform.ts';

export default transformOf(['node:http', 'node:https']);
