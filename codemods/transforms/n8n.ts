import { transformOf } from './shared/transform.ts';

export default transformOf(['n8n']);
