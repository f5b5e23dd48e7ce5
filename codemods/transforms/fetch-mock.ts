import { transformOf } from './shared/transform.ts';

export default transformOf(['fetch-mock']);
