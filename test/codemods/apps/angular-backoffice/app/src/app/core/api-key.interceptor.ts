import { HttpInterceptorFn } from '@angular/common/http';
import { environment } from '../../environments/environment';

export const apiKeyInterceptor: HttpInterceptorFn = (req, next) => {
  if (!req.url.startsWith(environment.messaging.apiUrl)) {
    return next(req);
  }
  return next(req.clone({ setHeaders: { 'x-api-key': environment.messaging.apiKey } }));
};
