import { transformOf } from './shared/transform.ts';

export default transformOf(['axios-mock-adapter']);
