import { provideHttpClient } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { MessagesService } from './messages.service';

describe('MessagesService', () => {
  let controller: HttpTestingController;
  let service: MessagesService;

  beforeEach(() => {
    TestBed.configureTestingModule({ providers: [provideHttpClient(), provideHttpClientTesting()] });
    controller = TestBed.inject(HttpTestingController);
    service = TestBed.inject(MessagesService);
  });

  it('sends with the key', () => {
    service.send('+15550100001', 'Hello').subscribe(({ messageId }) => expect(messageId).toBe('m1'));

    const { request, flush } = controller.expectOne('https://api.example.com/v1/messages/send');
    expect(request.headers.get('x-api-key')).toEqual('dev-key');
    expect(request.body.channel).toBe('WHATSAPP');
    flush({ messageId: 'm1' });
  });

  it('matches by the path alone', () => {
    service.status('m1').subscribe();
    const [req] = controller.match((r) => r.url.includes('/v1/messages/'));
    expect(req.request.headers.get('X-API-Key')).toBeTruthy();
    req.flush({ status: 'delivered' });
  });
});
