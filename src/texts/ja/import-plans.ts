import type { Refusals } from '../catalogue.ts'

/** What plans for moving in say. */
export default {
  'The person or team that it belongs to does not come along.': '所有者の人またはチームが移行されません。',
  'The event type that it belongs to does not come along.': '対象の予約タイプが移行されません。',
  'It is switched off there.': '移行元でオフになっています。',
  'You chose to leave it out.': '移行しないことが選ばれました。',
  'This row has no id, so nothing can refer to it.': 'この行にはIDがないため、どこからも参照できません。',
  'Another row has the same id.': '別の行が同じIDを持っています。',
  'The time zone “{0}” is not known here, so it is the one of {1}.':
    'タイムゾーン「{0}」はここでは不明なため、{1}のものになります。',
  'Hours that end before they begin were left out.': '開始より前に終わる時間帯は省かれました。',
  'The hours of one event type, which uses them as a schedule here.':
    '1つの予約タイプの時間帯で、ここではスケジュールとして使われます。',
  'The hours had no schedule there, so they became one.':
    '移行元ではスケジュールのない時間帯だったため、スケジュールになりました。',
  'These hours of one event type were not used there: its schedule comes first.':
    'この予約タイプの時間帯は移行元で使われていませんでした。スケジュールが優先されます。',
  'The schedule of these hours is missing.': 'この時間帯のスケジュールがありません。',
  'It is over.': 'すでに終わっています。',
  'Travel plans are not known here. Change the time zone of the schedule for that time.':
    '旅行の予定はここにはありません。その期間はスケジュールのタイムゾーンを変更してください。',
  'Its dates can’t be read.': '日付を読み取れません。',
  'Days off were days in UTC there. Here they are whole days in {0}.':
    '移行元の休みはUTCの日付でした。ここでは{0}の丸一日になります。',
  'Time off lasts at most {0} days here, so it ends on {1}.':
    'ここでは不在は最長{0}日のため、{1}に終わります。',
  'The person who takes over does not come along.': '代わりの人は移行されません。',
  'Guests don’t see the note here.': 'ここではゲストにメモは表示されません。',
  'The organization is this whole service here. Its owners and admins become admins of the service.':
    '組織はここではこのサービス全体です。所有者と管理者はサービスの管理者になります。',
  'This person has no email address that we can read, so they couldn’t sign in.':
    '読み取れるメールアドレスがないため、ログインできません。',
  'Another person has the same email address.': '別の人が同じメールアドレスを使っています。',
  'Has an account here already: its name, link and page stay.':
    'ここにすでにアカウントがあり、名前、リンク、ページはそのままです。',
  'Becomes an admin of this service, as they are one there.':
    '移行元と同じく、このサービスの管理者になります。',
  'Is locked there, so the account is disabled here.':
    '移行元でロックされているため、ここではアカウントは無効です。',
  'Has to set up two-factor sign-in again.': '2段階認証を設定し直す必要があります。',
  'Had no name in links there: theirs is “{0}” here.':
    '移行元にはリンク名がありませんでした。ここでは「{0}」です。',
  'The name in links is spelled “{0}” here. Links with “{1}” still work.':
    'リンク名はここでは「{0}」です。「{1}」のリンクも引き続き使えます。',
  '“{0}” is reserved or taken here, so the name in links is “{1}”.':
    '「{0}」はここでは予約済みか使用中のため、リンク名は「{1}」になります。',
  'The picture is stored over there: please upload it here.':
    '画像は移行元にあります。ここに改めてアップロードしてください。',
  'The time zone “{0}” is not known here, so it is UTC.':
    'タイムゾーン「{0}」はここでは不明なため、UTCになります。',
  'There are no texts in “{0}” here, so pages are in English.':
    'ここには「{0}」のテキストがないため、ページは英語になります。',
  'None of its members come along.': '移行されるメンバーがいません。',
  'Was not published there, so its event types are open to private links only.':
    '移行元で公開されていなかったため、予約タイプは専用リンクからのみ開けます。',
  'Has no owner who comes along, so {0} becomes the owner.':
    '移行される所有者がいないため、{0}が所有者になります。',
  'Custom roles become owner, admin or member.':
    '独自の役割は、所有者、管理者、メンバーのいずれかになります。',
  'A limit for all meetings of the team is not known here: each event type has its own.':
    'チーム全体の上限はここにはありません。予約タイプごとに上限があります。',
  'The invitation to a team was not accepted there.': 'チームへの招待が移行元で承諾されていません。',
  'Weights that depend on attributes are not known here: the weights of hosts decide.':
    '属性による重みはここにはありません。主催者の重みで決まります。',
  'The attribute is switched off there.': 'この属性は移行元でオフになっています。',
  'How its hosts are assigned is not known here, so all of them attend.':
    '主催者の割り当て方がここでは不明なため、全員が参加します。',
  'Some hosts are not members of the team here, so they don’t host it.':
    '一部の主催者はここではチームのメンバーではないため、担当しません。',
  'It has no hosts, so nobody can book it until you add one.':
    '主催者がいないため、追加するまで予約できません。',
  'Hosts have no priorities here: they take turns, by their weights.':
    'ここでは主催者に優先順位はなく、重みに応じて交代します。',
  'Hosts are one group here: one of them takes the meeting, and not one of each group.':
    'ここでは主催者は1つのグループで、グループごとではなく全体から1人が担当します。',
  'Its hosts were chosen by their attributes. Here all of its hosts take turns.':
    '主催者は属性で選ばれていました。ここでは全員が交代で担当します。',
  'A host whose weight is 0 gets the smallest share here.':
    '重みが0の主催者は、ここでは最小の割合になります。',
  'The weights of hosts are rounded: the largest is {0} here.':
    '主催者の重みは丸められます。ここでの最大は{0}です。',
  'One host can have their own schedule for an event type here. These use their default: {0}.':
    '予約タイプに専用のスケジュールを持てる主催者はここでは1人です。次の人は既定のものを使います：{0}。',
  'All hosts had the hours of “{0}” there. Here each host has their own.':
    '移行元では全主催者が「{0}」の時間帯でした。ここでは各自の時間帯になります。',
  'Hours that restrict all hosts are not known here.': '全主催者を制限する時間帯はここにはありません。',
  'Its length can’t be read.': '所要時間を読み取れません。',
  'Meetings last at most 24 hours here.': 'ここでは会議は最長24時間です。',
  'Buffers of two meetings were added up there. Here the longer one counts, so guests see more times.':
    '移行元では前後の余白が合計されていました。ここでは長い方だけが適用され、選べる時間が増えます。',
  'Its rules left no time to book there. Here only private links open it: please check its notice and limits.':
    '移行元の設定では予約できる時間がありませんでした。ここでは専用リンクからのみ開けます。事前通知と上限を確認してください。',
  'Guests choose from at most {0} durations here: some were left out.':
    'ここではゲストが選べる所要時間は{0}個までです。一部は省かれました。',
  'Starts were shifted by {0} minutes there. Here they begin when your hours open.':
    '移行元では開始時刻が{0}分ずらされていました。ここでは受付時間の始まりからになります。',
  'Starts are {0} minutes apart here.': 'ここでは開始時刻は{0}分間隔です。',
  'Times that guests see in the next {0} days: {1} more and {2} fewer than there.':
    '今後{0}日間にゲストに表示される時間：移行元より{1}件増え、{2}件減ります。',
  'Starts were rounded in the guest’s time zone there. Here they count from when your hours open, so they differ.':
    '移行元では開始時刻がゲストのタイムゾーンで丸められていました。ここでは受付時間の始まりから数えるため異なります。',
  'The window reached over {0} days with free times there. Here it counts days without free times, too.':
    '移行元の期間は空きのある日が{0}日分でした。ここでは空きのない日も数えます。',
  'The dates of its booking window can’t be read, so it has none.':
    '予約可能期間の日付を読み取れないため、期間の制限はありません。',
  'Its kind of booking window is not known here, so it has none.':
    'この種類の予約可能期間はここでは不明なため、期間の制限はありません。',
  'Weeks begin on Sunday there and on Monday here, which matters for its limits.':
    '週の始まりは移行元では日曜、ここでは月曜で、上限に影響します。',
  'Guests can’t cancel there. Here they can until a year before the start.':
    '移行元ではゲストはキャンセルできません。ここでは開始の1年前までできます。',
  'Guests can’t reschedule there. Here they can until a year before the start.':
    '移行元ではゲストは日時を変更できません。ここでは開始の1年前までできます。',
  'Series repeat every week, every two weeks or every month here, so this one is for single meetings.':
    'ここでの繰り返しは毎週、隔週、毎月のみのため、これは単発の予約になります。',
  'Monthly meetings keep their weekday here, and not their date.':
    '毎月の予約は、ここでは日付ではなく曜日が保たれます。',
  'A series has at most {0} meetings here.': 'ここでは繰り返しは最大{0}回です。',
  'A managed event type is a template. Its copies come along as event types of their own.':
    '管理対象の予約タイプはひな形です。そのコピーがそれぞれの予約タイプとして移行されます。',
  'It belongs to nobody.': '所有者がいません。',
  'It belongs to the organization, which has no event types here. Please make it in a team.':
    '組織のものですが、ここでは組織は予約タイプを持ちません。チームで作成してください。',
  'Was a copy of a managed event type. It is edited on its own here.':
    '管理対象の予約タイプのコピーでした。ここでは個別に編集します。',
  'Its link ends in “{0}” here. The old link still works.':
    'リンクの末尾はここでは「{0}」です。以前のリンクも引き続き使えます。',
  'Its schedule does not come along, so the default one applies.':
    'スケジュールが移行されないため、既定のものが使われます。',
  'Round robin and seats don’t go together here, so every guest has a meeting of their own.':
    'ここでは交代制と複数定員は併用できないため、ゲストごとに別の会議になります。',
  'Guests who share a meeting don’t see each other’s names here.':
    'ここでは同じ会議のゲスト同士の名前は表示されません。',
  'Only guests with a free mailbox needed approval there. Here everyone does.':
    '移行元では無料メールのゲストだけ承認が必要でした。ここでは全員に必要です。',
  'Only bookings on short notice needed approval there. Here all of them do.':
    '移行元では直前の予約だけ承認が必要でした。ここではすべてに必要です。',
  'A request blocks its time here until it is answered.':
    'ここでは、リクエストは返答があるまでその時間を確保します。',
  'It costs {0} there. Connect Stripe and set its price here; until then only private links open it.':
    '移行元では{0}です。Stripeを接続してここで料金を設定するまで、専用リンクからのみ開けます。',
  'Only people with an account could book it there. Here only private links open it.':
    '移行元ではアカウントのある人だけが予約できました。ここでは専用リンクからのみ開けます。',
  'Forms don’t lead to hidden event types here. Only forms and private links open this one.':
    'ここではフォームから非表示の予約タイプには進めません。これはフォームと専用リンクからのみ開けます。',
  'The page after booking is not an address with https, so guests stay on ours.':
    '予約後のページがhttpsのアドレスではないため、ゲストはこちらのページに留まります。',
  'instant meetings': '即時会議',
  'a fixed time zone for guests': 'ゲストのタイムゾーンの固定',
  'a title of its own in calendars': 'カレンダーでの独自の件名',
  'hiding the host’s email address': '主催者のメールアドレスの非表示',
  'hiding details in calendars': 'カレンダーでの詳細の非表示',
  'an address for replies': '返信先アドレス',
  'a limit for each guest': 'ゲストごとの上限',
  'showing only the first time of a day': '1日の最初の時間だけの表示',
  'a location for each host': '主催者ごとの場所',
  'a language of its own': '独自の言語',
  'emails that are turned off': 'オフにしたメール',
  'calendars of its own': '独自のカレンダー',
  'a limit on how uneven the round robin gets': '交代制の偏りの上限',
  'Not known here: {0}.': 'ここにはない設定：{0}。',
  'Guests who share a meeting meet in one place here: the first location stays.':
    'ここでは同じ会議のゲストは1か所に集まります。最初の場所が残ります。',
  'Guests choose from at most {0} locations here: the last ones were left out.':
    'ここではゲストが選べる場所は{0}か所までです。最後のものは省かれました。',
  'Guests see the address before they book.': 'ゲストには予約前に住所が表示されます。',
  'Guests aren’t asked where to meet them: please add a question for their address.':
    'ゲストの場所は尋ねられません。住所の質問を追加してください。',
  'The link of the meeting can’t be read, so it is a video call without a link.':
    '会議のリンクを読み取れないため、リンクなしのビデオ通話になります。',
  'The place is open there: please write it into the location.':
    '移行元では場所が未定です。場所の欄に入力してください。',
  '{0} is not offered here, so video calls have no link until you add one.':
    '{0}はここでは使えないため、追加するまでビデオ通話にリンクがありません。',
  '{0} becomes {1}.': '{0}は{1}になります。',
  'An event type asks at most {0} questions here: the last ones were left out.':
    'ここでは予約タイプの質問は{0}個までです。最後のものは省かれました。',
  '“{0}” is a text field here.': '「{0}」はここではテキスト欄です。',
  '“{0}” is hidden, so it is optional here.': '「{0}」は非表示のため、ここでは任意です。',
  'An instant meeting that nobody has taken.': '誰も引き受けていない即時会議です。',
  'Its time can’t be read.': '日時を読み取れません。',
  'It ends before it begins.': '開始より前に終わっています。',
  'Its time is rounded to whole minutes.': '時刻は分単位に丸められます。',
  'Its host does not come along.': '主催者が移行されません。',
  'Its state is not known here.': 'この状態はここでは不明です。',
  'Nobody answered the request in time, so it is declined.':
    '期限までに返答がなかったため、辞退扱いになります。',
  'Its event type does not come along, so it is among the earlier meetings of {0}.':
    '予約タイプが移行されないため、{0}の以前の会議に入ります。',
  'For meetings of {0} whose event type does not come along. Guests can’t see or book it.':
    '予約タイプが移行されない{0}の会議用です。ゲストには見えず、予約もできません。',
  'It has no guest whose address we can read.': 'アドレスを読み取れるゲストがいません。',
  'Its video call is on the old system, and works as long as that runs.':
    'ビデオ通話は移行元のシステムにあり、それが動いている間だけ使えます。',
  'A guest brings at most {0} others here: the last ones were left out.':
    'ここではゲストの同伴者は{0}人までです。最後の人は省かれました。',
  'Guests whose address can’t be read were left out.': 'アドレスを読み取れないゲストは省かれました。',
  'Overlaps a meeting of {0} that was booked earlier. Both come along.':
    '先に予約された{0}の会議と重なっています。両方とも移行されます。',
  'Was one of a series that we can’t continue: it is a meeting of its own here.':
    '続けられない繰り返しの一部でした。ここでは単独の会議になります。',
  'It was paid there: {0}. A refund has to be made there, too.':
    '移行元で支払い済みです：{0}。返金も移行元で行ってください。',
  'Leads to event types of {0}, so it belongs to that team here.':
    '{0}の予約タイプに進むため、ここではそのチームのものになります。',
  'Nobody gets an email for each answer here: answers are listed with the form.':
    'ここでは回答ごとのメールはありません。回答はフォームで確認できます。',
  'Rule {0} asks for something that rules can’t say here, so it was left out.':
    'ルール{0}の条件はここでは表せないため、省かれました。',
  'Rule {0} leads to a place that forms can’t lead to here, so it was left out.':
    'ルール{0}の行き先にはここではフォームから進めないため、省かれました。',
  'A form has at most {0} rules here: the last ones were left out.':
    'ここではフォームのルールは{0}個までです。最後のものは省かれました。',
  'Visitors whom no rule leads anywhere see a message that thanks them.':
    'どのルールにも当てはまらない訪問者には、お礼のメッセージが表示されます。',
  'Answers are not filled into the address {0} here.': 'ここでは回答はアドレス {0} に埋め込まれません。',
  'A rule chooses hosts in a way that can’t be said here, so it leads to all hosts of its event type.':
    '主催者の選び方をここでは表せないため、予約タイプの全主催者が対象になります。',
  'A second choice of hosts, for when the first fits nobody, is not known here.':
    '最初の条件に合う主催者がいないときの第2候補は、ここにはありません。',
  'Its link can’t be read.': 'リンクを読み取れません。',
  'Another private link has the same address.': '別の専用リンクが同じアドレスを使っています。',
  'The link has expired.': 'リンクの有効期限が切れています。',
  'The link has been used up.': 'リンクは使用済みです。',
  'Only email addresses and domains are blocked here.':
    'ここでブロックできるのはメールアドレスとドメインだけです。',
  'It was watched there and not blocked.': '移行元では監視のみで、ブロックされていません。',
  'It is listed twice.': '重複しています。',
  'It is neither an email address nor a domain.': 'メールアドレスでもドメインでもありません。',
  'Apps don’t come along. Please connect what you need here.':
    'アプリは移行されません。必要なものをここで接続してください。',
  'The connection no longer works there. Please connect the calendar here.':
    '移行元で接続が切れています。ここでカレンダーを接続してください。',
  'What the connection signs in with can’t be read. Please connect the calendar here.':
    '接続のサインイン情報を読み取れません。こちらでカレンダーを接続してください。',
  'The connection does not allow all that is needed here. Please connect the calendar here.':
    'この接続では、ここで必要な操作がすべて許可されていません。こちらでカレンダーを接続してください。',
  'This account is connected here already, and stays as it is.':
    'このアカウントはすでにここに接続されているため、そのまま残ります。',
  'None of its calendars was found. Please connect the calendar here.':
    'カレンダーが 1 つも見つかりませんでした。こちらでカレンダーを接続してください。',
  'These of its calendars were not found: {0}.': '次のカレンダーが見つかりませんでした: {0}。',
  'This person has connected as many calendars as one may have.':
    'この人は、接続できる上限までカレンダーを接続しています。',
  'This service can’t use the connection. {0} has to connect the calendar again.':
    'このサービスでは接続を引き継げません。{0}がカレンダーを接続し直す必要があります。',
  'Event types with a calendar of their own write to the one that their host has chosen.':
    '独自のカレンダーを持つ予約タイプは、主催者が選んだカレンダーに書き込みます。',
  'Its address can’t be read.': 'アドレスを読み取れません。',
  'It belongs to the organization, which has no webhooks here. Please add it to a team.':
    '組織のものですが、ここでは組織はWebhookを持ちません。チームに追加してください。',
  'None of the events that it is told of exist here.': '通知対象のイベントはここにはありません。',
  'It is not told of these events here: {0}.': '次のイベントはここでは通知されません：{0}。',
  'It had a payload of its own there. Here it gets the usual one.':
    '移行元では独自の内容でした。ここでは通常の内容が送られます。',
  'It was made by {0}: please connect that to this service.':
    '{0}が作成したものです。このサービスに接続してください。',
  'Messages follow bookings here, and not answers to a form.':
    'ここではメッセージは予約に対して送られ、フォームの回答には送られません。',
  'Messages don’t tell of payments here: guests get Stripe’s receipts.':
    'ここでは支払いについてのメッセージはありません。ゲストにはStripeの領収書が届きます。',
  'Nobody knows here who has joined a video call.': 'ここではビデオ通話に誰が参加したかは分かりません。',
  'Messages go to guests and hosts here, and not to a fixed address.':
    'ここではメッセージはゲストと主催者に送られ、固定の宛先には送られません。',
  'Text messages go to guests here, and not to a fixed number.':
    'ここではSMSはゲストに送られ、固定の番号には送られません。',
  'There is no WhatsApp here.': 'ここではWhatsAppは使えません。',
  'Nobody is called by a machine here.': 'ここには自動音声の電話はありません。',
  'This workflow has no steps.': 'このワークフローにはステップがありません。',
  'It belongs to the organization, which has no messages here. Please add it to a team.':
    '組織のものですが、ここでは組織はメッセージを持ちません。チームに追加してください。',
  'The workflow that it belongs to does not come along.': '対象のワークフローが移行されません。',
  'There is no message for this moment here.': 'このタイミングのメッセージはここにはありません。',
  'Messages of this kind are not known here.': 'この種類のメッセージはここにはありません。',
  'Text messages are not offered here, or not at this moment.':
    'SMSはここでは使えないか、このタイミングでは送れません。',
  'No calendar file is attached here: the service’s own emails have it.':
    'ここではカレンダーファイルは添付されません。サービスのメールに付いています。',
  'It is for none of the forms that come along, so it is switched off here.':
    '移行されるフォームが対象にないため、ここではオフになります。',
  'It is only for those of its forms that belong to {0}.': '対象は{0}のフォームだけになります。',
  'Answers to routing forms stay there: {0}. Export them there if you still need them.':
    'フォームへの回答は移行元に残ります：{0}件。必要な場合は移行元で書き出してください。',
  'It is for all forms of {0} here.': 'ここでは{0}のすべてのフォームが対象です。',
  'It is for none of the event types that come along, so it is switched off here.':
    '移行される予約タイプが対象にないため、ここではオフになります。',
  'It is only for those of its event types that belong to {0}.': '対象は{0}の予約タイプだけになります。',
  'Bookings that need approval don’t get it here: please add one for approved bookings.':
    '承認が必要な予約にはここでは送られません。承認済みの予約用に追加してください。',
  'It is sent {0} minutes from the moment here, and not {1}.':
    'ここでは{1}分ではなく{0}分の間隔で送られます。',
  'Not filled in here: {0}.': 'ここでは埋め込まれない値：{0}。',
  'It had no words of its own there, so it has ours.':
    '移行元に独自の文面がなかったため、こちらの文面になります。',
  'Its text is cut after {0} characters.': '文面は{0}文字で切られます。',
  '{0} as they are': 'そのまま{0}件',
  '{0} changed': '変更あり{0}件',
  '{0} already here': '移行済み{0}件',
  '{0} left out': '移行しない{0}件',
  '{0}: {1}.': '{0}：{1}。',
  People: '人',
  Teams: 'チーム',
  Invitations: '招待',
  Schedules: 'スケジュール',
  Hours: '受付時間',
  'Time off': '不在',
  Travel: '旅行',
  'Event types': '予約タイプ',
  'Private links': '専用リンク',
  Forms: 'フォーム',
  Attributes: '属性',
  Webhooks: 'Webhook',
  Workflows: 'ワークフロー',
  Messages: 'メッセージ',
  'Blocked addresses': 'ブロックしたアドレス',
  Bookings: '予約',
  'Connected accounts': '接続したアカウント',
  'Parts of it can’t be read, so they are as if they were empty.':
    '一部を読み取れないため、空として扱われます。',
  'the minimum notice': '最短の事前通知',
  'the booking window': '予約可能期間',
  'the number of seats': '定員',
  'the limits': '上限',
  'We guessed from the times that it offered: {0}. Please check.':
    '提供されていた時間から推測しました：{0}。確認してください。',
  'It names no location there, so it is a video call here.':
    '移行元に場所の指定がないため、ここではビデオ通話になります。',
} satisfies Partial<Refusals>
