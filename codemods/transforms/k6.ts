import { transformOf } from './shared/transform.ts';

export default transformOf(['k6']);
