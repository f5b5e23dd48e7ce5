import { HttpClient, provideHttpClient, withInterceptors } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { environment } from '../../environments/environment';
import { apiKeyInterceptor } from './api-key.interceptor';

describe('apiKeyInterceptor', () => {
  let http: HttpClient;
  let controller: HttpTestingController;

  beforeEach(() => {
    TestBed.configureTestingModule({
      providers: [provideHttpClient(withInterceptors([apiKeyInterceptor])), provideHttpClientTesting()],
    });
    http = TestBed.inject(HttpClient);
    controller = TestBed.inject(HttpTestingController);
  });

  afterEach(() => controller.verify());

  it('adds the key to calls of the messaging service', () => {
    http.get('https://api.example.com/v1/contacts').subscribe();
    const req = controller.expectOne('https://api.example.com/v1/contacts');
    expect(req.request.headers.get('x-api-key')).toBe(environment.messaging.apiKey);
    expect(req.request.headers.has('x-api-key')).toBeTrue();
    req.flush({ data: [] });
  });

  it('leaves other services alone', () => {
    http.get('https://api.shiphub.io/v1/rates').subscribe();
    const req = controller.expectOne('https://api.shiphub.io/v1/rates');
    expect(req.request.headers.has('x-api-key')).toBeFalse();
    req.flush([]);
  });
});
