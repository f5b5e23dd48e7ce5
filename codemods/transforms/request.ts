import { transformOf } from './shared/transform.ts';

export default transformOf(['request']);
