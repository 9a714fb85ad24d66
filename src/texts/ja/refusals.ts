import type { Refusals } from '../catalogue.ts'
import importPlans from './import-plans.ts'

export default {
  ...importPlans,
  '{0}, {1}': '{0}、{1}',
  'There is more at {0} than we can read.': '{0} のデータが多すぎて読み取れません。',
  '{0} refuses more requests for now. Please try again later.':
    '{0} は現在これ以上のリクエストを受け付けていません。しばらくしてからもう一度お試しください。',
  '{0} could not be reached. Please try again later.':
    '{0} に接続できませんでした。しばらくしてからもう一度お試しください。',
  '{0} refused the token. Please make a new one that may read everything.':
    '{0} がトークンを拒否しました。すべてを読み取れる新しいトークンを作成してください。',
  '{0} did not answer as expected. Please check the address.':
    '{0} から想定外の応答がありました。アドレスを確認してください。',
  "Cal.com's API leaves out workflows, the blocklist and connected calendars. Import from its database to bring them along, or set them up here.":
    'Cal.com の API には、ワークフロー、ブロックリスト、接続済みカレンダーが含まれません。データベースからインポートするか、こちらで設定してください。',
  "Cal.com's API shows hidden event types and private links only to their owner.":
    'Cal.com の API は、非公開のイベントタイプとプライベートリンクを所有者にのみ表示します。',
  'This database has no tables of Cal.com. Please give the address that Cal.com has as DATABASE_URL.':
    'このデータベースには Cal.com のテーブルがありません。Cal.com の DATABASE_URL に設定されているアドレスを指定してください。',
  'This is not the address of a PostgreSQL database. It looks like postgres://user:password@host/database.':
    'これは PostgreSQL データベースのアドレスではありません。postgres://user:password@host/database のような形式です。',
  'The database could not be reached. Please check its address, and whether this server may connect to it.':
    'データベースに接続できませんでした。アドレスと、このサーバーから接続できるかどうかを確認してください。',
  'The database stopped answering while it was read. Please try again.':
    '読み取り中にデータベースが応答しなくなりました。もう一度お試しください。',
  'The database refused the user name or the password.':
    'データベースがユーザー名またはパスワードを拒否しました。',
  'There is no database of this name on that server.': 'そのサーバーにこの名前のデータベースはありません。',
  'This user of the database may not read the tables of Cal.com.':
    'このデータベースユーザーには Cal.com のテーブルを読み取る権限がありません。',
  'This dump has no tables of Cal.com. Please dump the database that Cal.com uses.':
    'このダンプには Cal.com のテーブルがありません。Cal.com が使用しているデータベースをダンプしてください。',
  'This dump is in the encoding {0}. Make it again with: pg_dump --encoding=UTF8':
    'このダンプの文字コードは {0} です。次のコマンドで作り直してください: pg_dump --encoding=UTF8',
  'The dump does not name the columns of the table {0}, so its rows are left out. Make it again without --data-only.':
    'ダンプにテーブル {0} の列名がないため、その行は取り込まれません。--data-only を付けずに作り直してください。',
  'A row of the table {0} does not have as many values as there are columns, so it is left out.':
    'テーブル {0} の行の値の数が列の数と一致しないため、取り込まれません。',
  'A row of the table {0} is larger than {1}, so it is left out.':
    'テーブル {0} の行が {1} を超えているため、取り込まれません。',
  "Calendly's API does not say where routing forms lead. Please add their rules here.":
    'Calendly の API では、ルーティングフォームの行き先がわかりません。こちらでルールを追加してください。',
  'This dump is incomplete: it breaks off before its end. Please make it again, and copy it whole.':
    'このダンプは途中で切れています。作り直して、全体をコピーしてください。',
  'This file is not a dump of a PostgreSQL database. Make one with: pg_dump --format=plain':
    'このファイルは PostgreSQL データベースのダンプではありません。次のコマンドで作成してください: pg_dump --format=plain',
  'This dump is in the custom format of pg_dump, which we cannot read. Make it again with: pg_dump --format=plain':
    'このダンプは pg_dump のカスタム形式のため読み取れません。次のコマンドで作り直してください: pg_dump --format=plain',
  'This dump is larger than {0} when unpacked.': 'このダンプは展開すると {0} を超えます。',
  'Choose a host, or let the round robin choose one: either, not both.':
    '主催者を選ぶか、交代制に任せるか、どちらか一方にしてください。',
  '{field} must be left out: this event type is for one guest.':
    '「{field}」は省略してください。この予約タイプのゲストは1名です。',
  '{field} must be email addresses.': '「{field}」にはメールアドレスだけを入力してください。',
  '{field} must be at most 1 email address.': '「{field}」に入力できるメールアドレスは1件までです。',
  '{field} must be at most {0} email addresses.': '「{field}」に入力できるメールアドレスは{0}件までです。',
  '{field} must be in the future.': '「{field}」には未来の日時を指定してください。',
  '{field} must be a host of this event type.': '「{field}」にはこの予約タイプの主催者を指定してください。',
  '{field} must be after startTime.': '「{field}」はstartTimeより後にしてください。',
  '{field} must be {0} minutes after startTime: take both from one listed slot.':
    '「{field}」はstartTimeの{0}分後にしてください。両方とも同じ候補から取ってください。',
  '{field} must be a phone number.': '「{field}」には電話番号を入力してください。',
  '{field} must be a language code such as en or pt-BR.':
    '「{field}」にはenやpt-BRのような言語コードを指定してください。',
  '{field} is not possible: this event type has no series.':
    '「{field}」は指定できません。この予約タイプには連続予約がありません。',
  'Not available on {0}. Please choose another time.': '{0}は予約できません。別の時間を選んでください。',
  'This email address has already booked this time on {0}.':
    'このメールアドレスは{0}のこの時間をすでに予約しています。',
  '{field} must look like https://example.com/calendar.ics.':
    '「{field}」はhttps://example.com/calendar.icsのような形にしてください。',
  '{field} must not contain a colon.': '「{field}」にコロンは使えません。',
  'Bookings can’t be added to a feed, only to a CalDAV calendar or a connected account.':
    '予約を追加できるのはCalDAVカレンダーか接続済みアカウントだけです。フィードには追加できません。',
  '{field} must be the nextCursor of the previous page.':
    '「{field}」には前のページのnextCursorを指定してください。',
  '{field} must not be before the start.': '「{field}」は開始より前にできません。',
  '{field} must be between the years 1970 and 9999.': '「{field}」は1970年から9999年の間にしてください。',
  '{field} must be after the start.': '「{field}」は開始より後にしてください。',
  'Time off can last at most {0} days. Add it in several parts.':
    '不在は最長{0}日です。いくつかに分けて追加してください。',
  'Choose someone from one of your teams to stand in for you.':
    '代わりの担当者は、所属するチームから選んでください。',
  '{field} must be an email address, or a domain such as example.com.':
    '「{field}」にはメールアドレスか、example.comのようなドメインを入力してください。',
  'There can be at most {0} reminders.': 'リマインダーは{0}件までです。',
  'Two reminders have the same time.': '同じ時間のリマインダーが2件あります。',
  'Guests who share a slot need the same hosts. Use 1 seat, or collective instead of round robin.':
    '同じ枠のゲストには同じ主催者が必要です。定員を1名にするか、交代制ではなく全員参加にしてください。',
  'A time with several seats can’t be held for one guest. Use 1 seat, or turn holds off.':
    '定員が複数の時間は1名のために仮押さえできません。定員を1名にするか、仮押さえをオフにしてください。',
  'Guests can choose from at most {0} durations.': 'ゲストが選べる所要時間は{0}件までです。',
  'Two durations are the same.': '同じ所要時間が2件あります。',
  'The durations must include the default of {0} minutes.': '所要時間には既定の{0}分を含めてください。',
  '{field} must be a whole number of minutes from {0} to {1}.':
    '「{field}」は{0}から{1}までの整数（分）にしてください。',
  'The minimum notice is longer than the booking window, so nothing could ever be booked.':
    '予約の締め切りが予約可能期間より長いため、何も予約できません。',
  'This limit is shorter than a meeting, so nothing could ever be booked.':
    'この上限は予約1件より短いため、何も予約できません。',
  'A fixed booking window needs two dates (YYYY-MM-DD).':
    '固定の予約可能期間には日付が2つ必要です（YYYY-MM-DD）。',
  'The booking window ends before it begins.': '予約可能期間の終わりが始まりより前です。',
  'There can be at most {0} sites.': 'サイトは{0}件までです。',
  '"{0}" is not a site such as https://www.example.com.':
    '「{0}」はhttps://www.example.comのようなサイトではありません。',
  'Write "{0}" as {1}.': '「{0}」は{1}と書いてください。',
  '"{0}" must begin with https://. Only this machine itself can use http://.':
    '「{0}」はhttps://で始めてください。http://を使えるのはこのコンピューター自身だけです。',
  '"{0}" is listed twice.': '「{0}」が2回入っています。',
  '"{0}" is not a time zone we know.': '「{0}」は不明なタイムゾーンです。',
  'Weekdays are numbered 1 (Monday) to 7 (Sunday).': '曜日は1（月曜日）から7（日曜日）の番号です。',
  '"{0}" is not a date (YYYY-MM-DD).': '「{0}」は日付（YYYY-MM-DD）ではありません。',
  Monday: '月曜日',
  Tuesday: '火曜日',
  Wednesday: '水曜日',
  Thursday: '木曜日',
  Friday: '金曜日',
  Saturday: '土曜日',
  Sunday: '日曜日',
  'Hours on {0} must end after they start, as HH:MM up to 24:00 (got {1} to {2}). For hours past midnight, add two ranges: until 24:00, and from 00:00 on the next day.':
    '{0}の時間帯は、24:00までのHH:MM形式で、開始より後に終わるようにしてください（指定：{1}～{2}）。深夜をまたぐ場合は、24:00までと翌日の00:00からの2つに分けてください。',
  'Hours on {0} overlap.': '{0}の時間帯が重なっています。',
  '{field} must be left out: this event type has one location.':
    '「{field}」は省略してください。この予約タイプの場所は1つです。',
  '{field} is required, because the host calls you.': '「{field}」は必須です。主催者からお電話します。',
  'Guests can choose from at most {0} locations.': 'ゲストが選べる場所は{0}件までです。',
  'Guests who share a slot meet in one place. Use 1 seat, or one location.':
    '同じ枠のゲストは同じ場所に集まります。定員を1名にするか、場所を1つにしてください。',
  '{field} must be 1 to 64 letters, digits, hyphens or underscores.':
    '「{field}」は1～64文字の英字、数字、ハイフン、アンダースコアにしてください。',
  'Two locations have the same id.': '同じIDの場所が2つあります。',
  '{field} must be a web address that begins with https:// or http://.':
    '「{field}」にはhttps://またはhttp://で始まるウェブアドレスを入力してください。',
  'Only video calls get a meeting link of their own.': '専用の会議リンクが付くのはビデオ通話だけです。',
  'Leave this empty: every booking gets its own link.':
    '空のままにしてください。予約ごとに専用のリンクが作られます。',
  '"{0}" must be true or false.': '「{0}」は真か偽にしてください。',
  '"{0}" must be a number.': '「{0}」には数値を入力してください。',
  '"{0}" must be one of {1}.': '「{0}」は次のいずれかにしてください：{1}。',
  '"{0}" must be a list with some of {1}.': '「{0}」は次の値からなるリストにしてください：{1}。',
  '"{0}" must be a web address that begins with https:// or http://.':
    '「{0}」にはhttps://またはhttp://で始まるウェブアドレスを入力してください。',
  '{field} must begin with a letter, and contain only letters, digits, _ and -.':
    '「{field}」は英字で始め、英字、数字、_、-だけを使ってください。',
  'Two questions have the key "{0}".': 'キー「{0}」の質問が2つあります。',
  '{field} must be a web address that begins with https://.':
    '「{field}」にはhttps://で始まるウェブアドレスを入力してください。',
  '{field} must not contain a user name or password.':
    '「{field}」にユーザー名やパスワードを含めないでください。',
  'Choose how often a series may repeat.': '連続予約の間隔を選んでください。',
  '{field} is there twice.': '「{field}」が2回入っています。',
  'The form "{0}" chooses hosts by this. Change the form first: {1}':
    'フォーム「{0}」がこれで主催者を選んでいます。先にフォームを変更してください。{1}',
  'No rule matches, so it leads to {0} instead of {1}.':
    '一致するルールがないため、{1}ではなく{0}につながります。',
  'Rule {0} matches, so it leads to {1} instead of {2}.':
    'ルール{0}に一致するため、{2}ではなく{1}につながります。',
  'The test "{0}" fails. {1}': 'テスト「{0}」が失敗しました。{1}',
  'the message "{0}"': 'メッセージ「{0}」',
  'an event type that does not exist': '存在しない予約タイプ',
  'Host filters can be nested at most {0} deep.': '主催者フィルターの入れ子は{0}段までです。',
  'A host filter is about one attribute, or it is a group: all or any.':
    '主催者フィルターは1つの属性か、グループ（allまたはany）にしてください。',
  'Unknown field "{0}.{1}".': '不明なフィールド「{0}.{1}」です。',
  'A group of a host filter needs at least one condition.':
    '主催者フィルターのグループには条件が1つ以上必要です。',
  'A condition on hosts needs the key of an attribute.': '主催者の条件には属性のキーが必要です。',
  'A condition on hosts has one of {0}.': '主催者の条件には次のいずれかを使ってください：{0}。',
  '“is one of” takes a list of 1 to {0} values.':
    '「が次のいずれか」には1～{0}件の値のリストを指定してください。',
  'A condition on hosts compares with text of 1 to {0} characters.':
    '主催者の条件は1～{0}文字のテキストと比較してください。',
  'A condition on hosts compares with text, or with the answer to a field.':
    '主催者の条件はテキストか、フィールドへの回答と比較してください。',
  'A condition on hosts asks for the answer to {0}, which is not a field of this form.':
    '主催者の条件が{0}への回答を参照していますが、このフォームにそのフィールドはありません。',
  '{0} is not an attribute of the team.': '{0}はチームの属性ではありません。',
  '"{0}" can be compared by {1}, not by {2}.': '「{0}」の比較に使えるのは{1}です。{2}は使えません。',
  '"{0}" is not an option of "{1}".': '「{0}」は「{1}」の選択肢ではありません。',
  '{field} must be a whole number of days from {0} to {1}.':
    '「{field}」は{0}から{1}までの整数（日）にしてください。',
  'Please start again from the form.': 'フォームからもう一度やり直してください。',
  '"{0}" is required.': '「{0}」は必須です。',
  'Send at most {0} answers to fields that the form does not have.':
    'フォームにないフィールドへの回答は{0}件までです。',
  'An answer to a field that the form does not have can be at most {0} characters long.':
    'フォームにないフィールドへの回答は{0}文字までです。',
  '"{0}" must be at most {1} characters.': '「{0}」は{1}文字以内にしてください。',
  '"{0}" must be one of its options.': '「{0}」は選択肢から選んでください。',
  '"{0}" must be a list with some of its options.': '「{0}」は選択肢のリストにしてください。',
  '"{0}" must be an email address.': '「{0}」にはメールアドレスを入力してください。',
  '"{0}" must be a phone number.': '「{0}」には電話番号を入力してください。',
  '"{0}" must be one line of text without control characters.':
    '「{0}」は制御文字を含まない1行のテキストにしてください。',
  '"{0}" must be text without control characters.': '「{0}」は制御文字を含まないテキストにしてください。',
  'Two fields have the id "{0}".': 'ID「{0}」のフィールドが2つあります。',
  'Two tests have the name "{0}".': '名前「{0}」のテストが2つあります。',
  'The test "{0}" answers "{1}", which is not a field of this form.':
    'テスト「{0}」が「{1}」に回答していますが、このフォームにそのフィールドはありません。',
  'The test "{0}" has an answer that is not text.': 'テスト「{0}」にテキストではない回答があります。',
  '"{0}" is not a select, so it cannot have options.':
    '「{0}」は選択式ではないため、選択肢を付けられません。',
  '"{0}" has two options with the same id.': '「{0}」に同じIDの選択肢が2つあります。',
  'Conditions can be nested at most {0} deep.': '条件の入れ子は{0}段までです。',
  'A condition is about one field, or it is a group: all or any.':
    '条件は1つのフィールドか、グループ（allまたはany）にしてください。',
  '{field} must be a list of conditions.': '「{field}」は条件のリストにしてください。',
  'A rule needs at least one condition.': 'ルールには条件が1つ以上必要です。',
  'A rule is about {0}, which is not a field of this form.':
    'ルールの対象{0}は、このフォームのフィールドではありません。',
  'A rule about "{0}" needs an operator: one of {1}.':
    '「{0}」についてのルールには演算子が必要です。次から選んでください：{1}。',
  'A rule about "{0}" needs something to compare with.': '「{0}」についてのルールには比較する値が必要です。',
  '{0} takes a list ("{1}").': '{0}にはリストを指定してください（「{1}」）。',
  'Only {0} and {1} take a list ("{2}").': 'リストを指定できるのは{0}と{1}だけです（「{2}」）。',
  '{0} takes at most {1} values ("{2}").': '{0}の値は{1}件までです（「{2}」）。',
  'A rule about "{0}" compares with a number.': '「{0}」についてのルールは数値と比較します。',
  'A rule about "{0}" compares with text of at most {1} characters.':
    '「{0}」についてのルールが比較できるテキストは{1}文字までです。',
  'A rule about "{0}" needs something to compare with. To look for an empty answer, choose “is empty”.':
    '「{0}」についてのルールには比較する値が必要です。空の回答を調べるには「空である」を選んでください。',
  'A rule compares "{0}" with "{1}", which is not one of its options.':
    'ルールが「{0}」を「{1}」と比較していますが、その選択肢はありません。',
  'Enter the address to send visitors to.': '訪問者を送る先のアドレスを入力してください。',
  'Visitors cannot be sent to "{0}". Use an address that begins with https://.':
    '訪問者を「{0}」へ送ることはできません。https://で始まるアドレスを使ってください。',
  'Enter the address to look owners up at. It begins with https://.':
    '担当者を調べるアドレスを入力してください。https://で始まります。',
  'Choose one of the owner’s event types to send visitors to.':
    '訪問者を送る先として、所有者の予約タイプを選んでください。',
  '{field} must be 1 to 64 letters, digits, _ and -.':
    '「{field}」は1～64文字の英字、数字、_、-にしてください。',
  'The key "email" is reserved. Choose another.':
    'キー「email」は予約されています。別のキーを選んでください。',
  'Two attributes have the key "{0}".': 'キー「{0}」の属性が2つあります。',
  '"{0}" is text, so it cannot have options.': '「{0}」はテキストなので、選択肢を付けられません。',
  '"{0}" needs at least one option.': '「{0}」には選択肢が1つ以上必要です。',
  'A hidden question can’t be required: guests don’t see it.':
    '非表示の質問は必須にできません。ゲストには表示されないためです。',
  'The option "{0}" cannot contain a semicolon, which separates options.':
    '選択肢「{0}」にセミコロンは使えません。選択肢の区切りに使われます。',
  '"{0}" has the option "{1}" twice.': '「{0}」に選択肢「{1}」が2つあります。',
  '"{0}" is not an attribute of this team.': '「{0}」はこのチームの属性ではありません。',
  '"{0}" has no option {1}. Choose from: {2}.': '「{0}」に選択肢{1}はありません。次から選んでください：{2}。',
  '"{0}" must be a list of its options.': '「{0}」は選択肢のリストにしてください。',
  '"{0}" must be text.': '「{0}」にはテキストを入力してください。',
  '"{0}" must be one line of at most {1} characters.': '「{0}」は{1}文字以内の1行にしてください。',
  '"{0}" is set for {1}. Clear it there before you delete it.':
    '「{0}」は{1}に設定されています。先にそちらを空にしてから削除してください。',
  '"{0}" is set for {1}. Clear it there before you change its type.':
    '「{0}」は{1}に設定されています。先にそちらを空にしてから種類を変えてください。',
  '"{0}" ({1}) is set for {2}. Choose another option there first.':
    '「{0}」（{1}）は{2}に設定されています。先にそちらで別の選択肢を選んでください。',
  '{0} and {1} more': '{0}ほか{1}名',
  'The row has more cells than there are columns.': '列の数よりセルが多い行です。',
  'No member of this team has this email address.': 'このメールアドレスのメンバーはこのチームにいません。',
  'Row {0} is about the same member.': '{0}行目が同じメンバーについての行です。',
  'The file has two columns "{0}".': 'ファイルに列「{0}」が2つあります。',
  'The file has a column "{0}". Its columns can be: {1}.': 'ファイルに列「{0}」があります。使える列：{1}。',
  'The file needs a column "email" in its first row.': 'ファイルの1行目に列「email」が必要です。',
  '{field} must be 1 to 64 lower-case letters, digits and hyphens.':
    '「{field}」は1～64文字の英小文字、数字、ハイフンにしてください。',
  '"{0}" is already taken. Please choose another.':
    '「{0}」はすでに使われています。別のものを選んでください。',
  '"{0}" is a former address that still leads to the new one. Please choose another.':
    '「{0}」は以前のアドレスで、今も新しいアドレスに転送されています。別のものを選んでください。',
  'This page has had {0} other addresses already. Choose one of them.':
    'このページにはすでに{0}個の以前のアドレスがあります。その中から選んでください。',
  'The database went away before it confirmed this, so it may or may not be saved. Please check before you repeat it. A booking can be repeated with the same Idempotency-Key: it is made only once.':
    '確認の前にデータベースとの接続が切れたため、保存されたかどうか分かりません。やり直す前に確認してください。予約は同じIdempotency-Keyでやり直せば、1回だけ行われます。',
  '{0} {1}': '{0}{1}',
  '{0} or {1}': '{0}または{1}',
  '{field} contains a NUL character.': '「{field}」にNUL文字が含まれています。',
  '{field} contains text that is not valid Unicode.':
    '「{field}」に正しいUnicodeではないテキストが含まれています。',
  '{field} is nested too deeply.': '「{field}」の入れ子が深すぎます。',
  'The event {0} is listed twice.': 'イベント{0}が2回入っています。',
  'An event type is listed twice.': '同じ予約タイプが2回入っています。',
  'This is a text message. We’ve emailed you its text, because nobody is texted without their consent.':
    'これはテキストメッセージです。同意なしにSMSは送られないため、本文をメールでお送りしました。',
  'Only the formats of Cal.com and Calendly take a secret of your own.':
    '自分のシークレットを使えるのは、Cal.comとCalendlyの形式だけです。',
  'The format of this webhook has no such event.': 'このWebhookの形式には、そのイベントがありません。',
  'This webhook has a secret of your own, which this format can’t use. Create a new secret first.':
    'このWebhookには自分のシークレットが設定されていますが、この形式では使えません。先に新しいシークレットを作成してください。',
  'Payload templates aren’t supported. Leave this empty.':
    'ペイロードのテンプレートには対応していません。空欄にしてください。',
  'The file has a quotation mark that is not closed.': 'ファイルに閉じられていない引用符があります。',
  '{field} is required with the other date.': '「{field}」はもう一方の日付と一緒に必要です。',
  '{field} replaces startTime and endTime. Send either dates or instants.':
    '「{field}」はstartTimeとendTimeの代わりです。日付か時刻のどちらかを送ってください。',
  'Send the file itself as the body, as text/csv.': 'ファイルそのものをtext/csvとして本文で送ってください。',
  'The file is not UTF-8 text. Save it as CSV UTF-8.':
    'ファイルがUTF-8のテキストではありません。CSV UTF-8で保存してください。',
  'Send the image itself as the body, with its type as Content-Type.':
    '画像そのものを本文で、種類をContent-Typeに付けて送ってください。',
  'This has changed since you loaded it. Reload it, then make your change again.':
    '読み込んだ後に変更されました。再読み込みしてから、もう一度変更してください。',
  'Pages of other origins cannot use this endpoint.':
    '他のオリジンのページはこのエンドポイントを使えません。',
  'Send one message at a time, not an array.': 'メッセージは配列ではなく、1つずつ送ってください。',
  'Send MCP messages by POST.': 'MCPのメッセージはPOSTで送ってください。',
  'The address is not valid.': 'アドレスが正しくありません。',
  'The request does not say which host it is for.': 'リクエストに宛先のホストがありません。',
  'This can only be asked for by the service’s own pages.':
    'これを要求できるのは、このサービス自身のページだけです。',
  'The service is too busy just now. Please try again in a moment.':
    'サービスが混み合っています。しばらくしてからもう一度お試しください。',
  'Too many requests. Please try again in {0} seconds.':
    'リクエストが多すぎます。{0}秒後にもう一度お試しください。',
  'The pages of this service have not been built.': 'このサービスのページはまだ作成されていません。',
  'There is nothing at this address.': 'このアドレスには何もありません。',
  'The service cannot reach its database just now. Please try again in a moment.':
    '現在データベースに接続できません。しばらくしてからもう一度お試しください。',
  'The service has run out of storage, so nothing was booked or changed. Please try again later.':
    'サービスの保存容量が不足しているため、予約も変更も行われませんでした。しばらくしてからもう一度お試しください。',
  'The request is not valid.': 'リクエストが正しくありません。',
  'Something went wrong on our side.': 'サービス側で問題が発生しました。',
  'The body must be JSON, and must not be empty.': '本文は空でないJSONにしてください。',
  'The address is too long.': 'アドレスが長すぎます。',
  'The body is not valid JSON.': '本文が正しいJSONではありません。',
  'The body is larger than 64 KB.': '本文が64 KBを超えています。',
  'Send the body as application/json.': '本文はapplication/jsonとして送ってください。',
  'This server does not do what the Expect header asks for.':
    'このサーバーはExpectヘッダーの要求に対応していません。',
  'The validation token is too long.': '検証トークンが長すぎます。',
  'The body must be a collection of notifications.': '本文は通知のコレクションにしてください。',
  'Idempotency-Key must be 1 to 255 visible ASCII characters.':
    'Idempotency-Keyは1～255文字の表示可能なASCII文字にしてください。',
  'Unknown field "{0}".': '不明なフィールド「{0}」です。',
  'The request': 'リクエスト',
  '{field} must be {0}.': '「{field}」の型は{0}にしてください。',
  '{field} must be at most {0} characters.': '「{field}」は{0}文字以内にしてください。',
  '{field} must not be empty.': '「{field}」を空にすることはできません。',
  '{field} must be at least {0}.': '「{field}」は{0}以上にしてください。',
  '{field} must be at most {0}.': '「{field}」は{0}以下にしてください。',
  '{field} must be from {0} to {1}.': '「{field}」は{0}から{1}の間にしてください。',
  '{field} must have at least {0} entries.': '「{field}」には{0}件以上が必要です。',
  '{field} must have at most {0} entries.': '「{field}」は{0}件までです。',
  '{field} is not valid.': '「{field}」が正しくありません。',
  '{0}, or empty': '{0}、または空',
  '{field} must be a whole number.': '「{field}」は整数にしてください。',
  '{field} must be text.': '「{field}」はテキストにしてください。',
  '{field} must be true or false.': '「{field}」は真か偽にしてください。',
  '{field} must be a list.': '「{field}」はリストにしてください。',
  '{field} must be an object.': '「{field}」はオブジェクトにしてください。',
  'The body': '本文',
  'The {0}': 'リクエストの{0}',
  '{field} must be a {0}.': '「{field}」の型は{0}にしてください。',
  '{field} is not one of the values allowed.': '「{field}」は許可された値ではありません。',
  '{field} has more than {0} entries.': '「{field}」が{0}件を超えています。',
  '{field} must be an integer.': '「{field}」は整数にしてください。',
  '{field} must be a boolean.': '「{field}」は真偽値にしてください。',
  '{field} must be an array.': '「{field}」は配列にしてください。',
  'The server redirects to an invalid address.': 'サーバーが正しくないアドレスへ転送しています。',
  'The server redirects too many times.': 'サーバーの転送が多すぎます。',
  'The response is larger than {0} MB.': '応答が{0} MBを超えています。',
  'The server did not answer within {0} seconds.': 'サーバーが{0}秒以内に応答しませんでした。',
  'The server could not be reached.': 'サーバーに接続できませんでした。',
  'The server refused the user name and password ({0}).':
    'サーバーがユーザー名とパスワードを拒否しました（{0}）。',
  'There is no calendar at this address ({0}).': 'このアドレスにカレンダーはありません（{0}）。',
  'The server answered {0}.': 'サーバーが{0}を返しました。',
  'This calendar has too many events.': 'このカレンダーは予定が多すぎます。',
  '{0} does not say when this calendar is busy.': '{0}はこのカレンダーの空き状況を公開していません。',
  'The server sent only a part of the calendar.': 'サーバーがカレンダーの一部しか送りませんでした。',
  'There is no CalDAV server at this address.': 'このアドレスにCalDAVサーバーはありません。',
  'The server’s response is too complex to read.': 'サーバーの応答が複雑すぎて読み取れません。',
  '{0} has ended our access to this account.': '{0}がこのアカウントへのアクセスを終了しました。',
  '{0} refuses this service’s client ({1}). Please tell whoever runs this service.':
    '{0}がこのサービスのクライアントを拒否しました（{1}）。サービスの管理者にお知らせください。',
  '{0} did not answer in time.': '{0}が時間内に応答しませんでした。',
  '{0} could not be reached.': '{0}に接続できませんでした。',
  '{0} sent an answer that is not complete.': '{0}の応答が不完全です。',
  '{0} sent more than {1} MB.': '{0}が{1} MBを超えるデータを送りました。',
  '{0} does not accept our access any more.': '{0}がアクセスを受け付けなくなりました。',
  '{0} has forgotten where we were.': '{0}が前回の続きを忘れました。',
  '{0} asks us to send fewer requests.': '{0}からリクエストを減らすよう求められています。',
  '{0} answered {1}.': '{0}が{1}を返しました。',
  '{0} refused this: {1}': '{0}に拒否されました：{1}',
  '{0} does not accept this key.': '{0} はこのキーを受け付けません。',
  '{0} does not let this key do this. It lacks the permission “{1}”.':
    '{0} はこのキーでの操作を許可していません。権限「{1}」が必要です。',
  '{field} does not look like a key.': '{field}がキーの形式ではありません。',
  '{field} must be a secret or restricted key, which begins with sk_ or rk_. This one is for websites.':
    '{field}は、sk_ または rk_ で始まるシークレットキーか制限付きキーにしてください。これはウェブサイト用のキーです。',
  'Guests pay for these through this account: {0}. Make them free first.':
    '次のものはこのアカウントで支払われます：{0}。先に無料にしてください。',
  'Payments or refunds are still on their way through this account. Please try again later.':
    'このアカウントでまだ支払いまたは返金が処理中です。後でもう一度お試しください。',
  'Another account is connected already: {0}. Please disconnect it first.':
    '別のアカウントがすでに接続されています：{0}。先に接続を解除してください。',
  '{field} must be left out: this account is connected on its provider’s pages.':
    '{field}は省略してください。このアカウントは提供元のページで接続します。',
  'See that this machine can reach STRIPE_API_URL.':
    'このマシンから STRIPE_API_URL に接続できることを確認してください。',
  'answers; connected accounts: {0}': '応答あり。接続済みアカウント：{0}',
  'refuses the keys of {0} of {1} accounts': '{1}件中{0}件のアカウントのキーが拒否されています',
  'Their owners were told by email to connect them again.':
    '所有者には再接続するようメールでお知らせしました。',
  'The key': 'キー',
  '{0} sent an answer that we don’t understand.': '{0}の応答を理解できませんでした。',
  'This is not a web address. Enter one such as https://example.com/path.':
    'ウェブアドレスではありません。https://example.com/pathのように入力してください。',
  'The address must not contain a user name or password.':
    'アドレスにユーザー名やパスワードを含めないでください。',
  'The address must start with https://.': 'アドレスはhttps://で始めてください。',
  '"{0}" is not a valid host name.': '「{0}」は正しいホスト名ではありません。',
  '"{0}" has no such address.': '「{0}」にそのようなアドレスはありません。',
  'The host "{0}" could not be found.': 'ホスト「{0}」が見つかりませんでした。',
  '"{0}" is not on the public internet. Use a public address.':
    '「{0}」は公開インターネット上にありません。公開アドレスを使ってください。',
  'The calendar takes too long to read.': 'カレンダーの読み取りに時間がかかりすぎます。',
  'The time of this request has passed.': 'このリクエストの時間は過ぎています。',
  'Payments can’t be taken at the moment, so nothing was booked. Please try again in a minute.':
    '現在お支払いができないため、何も予約されていません。1分ほど後にもう一度お試しください。',
  'The provider could not give the money back.': '決済サービスが返金できませんでした。',
  'The account that was paid is no longer connected.': '支払いを受けたアカウントは接続されていません。',
  'The calendar could not be checked. Please try again in a moment.':
    'カレンダーを確認できませんでした。しばらくしてからもう一度お試しください。',
  '"{0}" is already on the list.': '「{0}」はすでにリストにあります。',
  'A blocklist has at most {0} entries. Block whole domains.':
    'ブロックリストは{0}件までです。ドメイン全体をブロックしてください。',
  'This email address is blocked. Remove it from the blocklist first.':
    'このメールアドレスはブロックされています。先にブロックリストから外してください。',
  'This booking looks automated. Leave the hidden field empty.':
    'この予約は自動入力のようです。非表示の欄は空のままにしてください。',
  'This booking could not be accepted.': 'この予約は受け付けられませんでした。',
  'Please confirm your email address: request a code, and send it along (emailCode).':
    'メールアドレスを確認してください。コードを請求し、一緒に送ってください（emailCode）。',
  'This code is wrong. Tries left: {0}.': 'コードが間違っています。残りの回数：{0}回。',
  'This code no longer works. Please request a new one.':
    'このコードはもう使えません。新しいコードを取得してください。',
  'The calendar and this booking say the same. Look at it again.':
    'カレンダーとこの予約は一致しています。もう一度ご確認ください。',
  'It is too late to cancel this booking here. Please contact the host.':
    'この予約はもうここではキャンセルできません。主催者にご連絡ください。',
  'There is no such booking.': 'その予約はありません。',
  'Someone has just changed this booking. Look at it again.':
    'この予約は今変更されたばかりです。もう一度ご確認ください。',
  'This booking waits for its payment.': 'この予約は支払い待ちです。',
  'This booking was not paid in time.': 'この予約は期限までに支払われませんでした。',
  'This booking still waits for approval.': 'この予約はまだ承認待ちです。',
  'This booking has been confirmed. Cancel it instead.':
    'この予約は確定しています。代わりにキャンセルしてください。',
  'This booking has been declined.': 'この予約は辞退されました。',
  'This booking has been cancelled.': 'この予約はキャンセルされました。',
  'This meeting has taken place.': 'このミーティングは終了しました。',
  'This booking is marked as a no-show.': 'この予約は欠席とされています。',
  'There is no such booking. Use the whole link, as it was sent to you.':
    'その予約はありません。お送りしたリンク全体をお使いください。',
  'Choose someone else to take these meetings over.':
    'これらのミーティングを引き継ぐ別の人を選んでください。',
  'There is no such hold.': 'その仮押さえはありません。',
  'Times of this event type can’t be held.': 'この予約タイプの時間は仮押さえできません。',
  'This Idempotency-Key was used before, with another body.':
    'このIdempotency-Keyは別の本文ですでに使われています。',
  '{field} must be one line of text.': '「{field}」は1行のテキストにしてください。',
  '{field} must be one of {0}.': '「{field}」は次のいずれかにしてください：{0}。',
  'Too many emails to {0}. Please try again in {1} seconds.':
    '{0}へのメールが多すぎます。{1}秒後にもう一度お試しください。',
  'Too many bookings for the guest {0}. Please try again in {1} seconds.':
    'ゲスト{0}の予約が多すぎます。{1}秒後にもう一度お試しください。',
  'Too many codes for this email address. Please try again in {0} seconds.':
    'このメールアドレスへのコードの送信が多すぎます。{0}秒後にもう一度お試しください。',
  'This guest is booking or changing meetings right now. Please try again.':
    'このゲストは現在、予約または変更の操作中です。もう一度お試しください。',
  'A backup or an export is being made. Please try again when it is done.':
    'バックアップまたはエクスポートの実行中です。完了してからもう一度お試しください。',
  'Emails about this guest are being sent right now. Try again in a minute.':
    'このゲストに関するメールを送信中です。1分後にもう一度お試しください。',
  'Too many bookings for this email address. Please try again in {0} seconds.':
    'このメールアドレスの予約が多すぎます。{0}秒後にもう一度お試しください。',
  'Only video calls get a link.': 'リンクを追加できるのはビデオ通話だけです。',
  'This booking gets its link from {0}.': 'この予約のリンクは{0}が作成します。',
  'A link can only be added to a confirmed meeting that is not over.':
    'リンクを追加できるのは、確定していてまだ終わっていないミーティングだけです。',
  'This meeting has not started yet.': 'このミーティングはまだ始まっていません。',
  'The time in your calendar has passed.': 'カレンダーの時間は過ぎています。',
  'Meetings last at most 24 hours, and start and end at whole minutes.':
    'ミーティングは最長24時間で、開始と終了は分単位にしてください。',
  'This email address already has {0} upcoming bookings here. Cancel one of them first.':
    'このメールアドレスにはすでに{0}件の予約があります。先にどれかをキャンセルしてください。',
  'This link has already been used. Please ask the host for a new one.':
    'このリンクはすでに使われています。主催者に新しいリンクをお尋ねください。',
  'This link has expired. Please ask the host for a new one.':
    'このリンクは期限が切れています。主催者に新しいリンクをお尋ねください。',
  'This link doesn’t work. Please ask the host for a new one.':
    'このリンクは使えません。主催者に新しいリンクをお尋ねください。',
  'Only 1 seat is left at this time. Please bring fewer guests, or choose another slot.':
    'この時間の残りは1席です。人数を減らすか、別の時間を選んでください。',
  'Only {0} seats are left at this time. Please bring fewer guests, or choose another slot.':
    'この時間の残りは{0}席です。人数を減らすか、別の時間を選んでください。',
  'This time is no longer available. Please choose another slot.':
    'この時間は予約できなくなりました。別の時間を選んでください。',
  'This email address has already booked this time.': 'このメールアドレスはこの時間をすでに予約しています。',
  'These settings are being changed. Please try again in a moment.':
    'この設定は変更中です。しばらくしてからもう一度お試しください。',
  'Guests who share a slot need the same hosts, so a link cannot choose them.':
    '同じ枠のゲストには同じ主催者が必要なため、リンクで主催者を選べません。',
  'This meeting has started already.': 'このミーティングはすでに始まっています。',
  'This host attends the meeting already. Choose someone else.':
    'この主催者はすでに参加しています。別の人を選んでください。',
  'This person is not one of the hosts who take turns here.': 'この人はここで交代する主催者ではありません。',
  'This host has another meeting at this time. Choose someone else.':
    'この主催者にはこの時間に別のミーティングがあります。別の人を選んでください。',
  'This host has time off at this time. Choose someone else.':
    'この主催者はこの時間は不在です。別の人を選んでください。',
  'This host is busy at this time. Choose someone else.':
    'この主催者はこの時間は予定があります。別の人を選んでください。',
  'All hosts of this event type attend together. Change its hosts, or reschedule the meeting.':
    'この予約タイプの主催者は全員一緒に参加します。主催者を変更するか、日時を変更してください。',
  'No other host is free at this time. Choose someone yourself, or reschedule the meeting.':
    'この時間に空いている主催者はほかにいません。ご自身で選ぶか、日時を変更してください。',
  'It is too late to reschedule this booking here. Please contact the host.':
    'この予約はもうここでは変更できません。主催者にご連絡ください。',
  'It’s too late to undo this: the guest has been notified.': 'もう取り消せません。ゲストに通知済みです。',
  'This time has been taken meanwhile. The request stays declined.':
    'この時間はほかの予約で埋まりました。リクエストは辞退のままです。',
  '{field} must be an email address.': '「{field}」にはメールアドレスを入力してください。',
  'This event type does not ask guests to confirm their address.':
    'この予約タイプではアドレスの確認は必要ありません。',
  '{0} is not set up on this service.': '{0}はこのサービスで設定されていません。',
  'The access could not be renewed in time.': 'アクセスを時間内に更新できませんでした。',
  'This account is no longer connected.': 'このアカウントはもう接続されていません。',
  'The stored access can no longer be read.': '保存されたアクセスを読み取れなくなりました。',
  'You can connect at most {0} calendars.': '接続できるカレンダーは{0}件までです。',
  'This calendar is already connected.': 'このカレンダーはすでに接続されています。',
  'This calendar is read through a connected account, so it has no address.':
    'このカレンダーは接続済みアカウントから読み取るため、アドレスがありません。',
  'The calendar is on another server now. Enter its password again.':
    'カレンダーが別のサーバーに移りました。パスワードをもう一度入力してください。',
  'This calendar is not checked for conflicts, so it is not read.':
    'このカレンダーは重複の確認に使われないため、読み取りません。',
  '{field} must not contain control characters.': '「{field}」に制御文字は使えません。',
  '{0} is not set up here. Ask whoever runs this service to register a client.':
    '{0}はここで設定されていません。サービスの管理者にクライアントの登録を依頼してください。',
  '{0} Please connect it again.': '{0}もう一度接続してください。',
  '{0} Please try again in a moment.': '{0}しばらくしてからもう一度お試しください。',
  'There is no such calendar. Check the address.': 'そのカレンダーはありません。アドレスをご確認ください。',
  'The calendar has no owner.': 'カレンダーに所有者がいません。',
  'This account is at {0}, not at {1}.': 'このアカウントは{1}ではなく{0}のものです。',
  'The connected account has no such calendar.': '接続済みアカウントにそのカレンダーはありません。',
  'You can’t add events to “{0}”. Choose another calendar for your bookings.':
    '「{0}」に予定を追加できません。予約用に別のカレンダーを選んでください。',
  'This calendar was deleted, or is no longer shared with the connected account.':
    'このカレンダーは削除されたか、接続済みアカウントと共有されなくなりました。',
  'What is at this address is not a calendar.': 'このアドレスにあるものはカレンダーではありません。',
  'The calendar arrived incomplete.': 'カレンダーが途中までしか届きませんでした。',
  'The calendar could not be read.': 'カレンダーを読み取れませんでした。',
  'The password can no longer be read. Please enter it again.':
    'パスワードを読み取れなくなりました。もう一度入力してください。',
  'Someone else has just taken this. Please choose another.':
    '今ほかの人に使われました。別のものを選んでください。',
  'There is no ALTCHA challenge here.': 'ここにALTCHAの課題はありません。',
  'This event type asks for a CAPTCHA. Send an API token of its owner, or a solved challenge as captchaToken.':
    'このイベントタイプにはCAPTCHAが必要です。所有者のAPIトークンか、解いた課題をcaptchaTokenとして送ってください。',
  'This event type asks guests to confirm their address. Request a code at /v2/bookings/verification/email/send-code, and send it as emailVerificationCode.':
    'このイベントタイプではゲストのメールアドレスの確認が必要です。/v2/bookings/verification/email/send-codeでコードを請求し、emailVerificationCodeとして送ってください。',
  'A code is for one event type: {field} must name it.':
    'コードは一つのイベントタイプだけに有効です。{field}で指定してください。',
  'Please complete the CAPTCHA challenge (captchaToken).': 'CAPTCHAを完了してください（captchaToken）。',
  'The CAPTCHA was not solved, has expired or was used before. Please try again.':
    'CAPTCHAが解かれていないか、期限切れか、すでに使われています。もう一度お試しください。',
  'The CAPTCHA could not be checked just now. Please try again in a moment.':
    '現在CAPTCHAを確認できません。しばらくしてからもう一度お試しください。',
  '{field} is required.': '「{field}」は必須です。',
  'This event type has 1 booking, which would be lost. Hide it instead.':
    'この予約タイプには1件の予約があり、失われてしまいます。代わりに非表示にしてください。',
  'This event type has {0} bookings, which would be lost. Hide it instead.':
    'この予約タイプには{0}件の予約があり、失われてしまいます。代わりに非表示にしてください。',
  'These forms send visitors to it: {0}.': '次のフォームがここへ訪問者を送っています：{0}。',
  '{field} must be the id of a user.': '「{field}」にはユーザーのIDを指定してください。',
  'Each host can be added only once.': '同じ主催者は1回だけ追加できます。',
  'Hosts must be members of the team.': '主催者はチームのメンバーである必要があります。',
  '{field} must be a whole number from {0} to {1}.': '「{field}」は{0}から{1}までの整数にしてください。',
  '{field} must belong to one of the hosts.': '「{field}」は主催者の誰かのものである必要があります。',
  'Bookings can’t be added to a feed. Choose another calendar.':
    'フィードに予約は追加できません。別のカレンダーを選んでください。',
  'Bookings can’t be added to a calendar that you can only read. Choose another calendar.':
    '読み取り専用のカレンダーに予約は追加できません。別のカレンダーを選んでください。',
  '{field} must be a UTC instant such as 2030-01-31T09:30:00Z.':
    '「{field}」には2030-01-31T09:30:00ZのようなUTCの時刻を指定してください。',
  'These meeting links are not set up on this service.': 'この会議リンクはこのサービスで設定されていません。',
  'One schedule must be the default. Make another one the default instead.':
    '既定のスケジュールが1つ必要です。代わりに別のものを既定にしてください。',
  'This is the default schedule. Make another one the default first.':
    'これは既定のスケジュールです。先に別のものを既定にしてください。',
  'This schedule is used by: {0}.': 'このスケジュールは次で使われています：{0}。',
  'This form has no such question.': 'このフォームにその質問はありません。',
  'These answers look automated. Leave the hidden field empty.':
    'この回答は自動入力のようです。非表示の欄は空のままにしてください。',
  'These answers could not be accepted.': 'この回答は受け付けられませんでした。',
  'This form has 1 response, which would be lost. Export them first; then delete it with force=true.':
    'このフォームには1件の回答があり、失われてしまいます。先にエクスポートしてから、force=trueで削除してください。',
  'This form has {0} responses, which would be lost. Export them first; then delete it with force=true.':
    'このフォームには{0}件の回答があり、失われてしまいます。先にエクスポートしてから、force=trueで削除してください。',
  'There is no such form. Check the address.': 'そのフォームはありません。アドレスをご確認ください。',
  'The host has not confirmed this booking yet. Its calendar file is available once they have.':
    '主催者はまだこの予約を確定していません。確定後にカレンダーファイルをご利用いただけます。',
  'Only admins and owners of the team can see this.': 'これを見られるのはチームの管理者と所有者だけです。',
  'Only owners of the team can do this.': 'これを行えるのはチームの所有者だけです。',
  'Only the people of this event type can do this.': 'これを行えるのはこのイベントタイプの担当者だけです。',
  'Only admins and owners of the team can do this.': 'これを行えるのはチームの管理者と所有者だけです。',
  'Only admins of this instance can do this.': 'これを行えるのはこのインスタンスの管理者だけです。',
  'There is nothing here, or it is not yours.': 'ここには何もないか、ほかの人のものです。',
  'Row {0}: {1}': '{0}行目：{1}',
  '1 more row is wrong.': 'ほかに1行に誤りがあります。',
  '{0} more rows are wrong.': 'ほかに{0}行に誤りがあります。',
  'Nothing was saved.': '何も保存されませんでした。',
  'An API token cannot change your email address. Sign in for that.':
    'APIトークンではメールアドレスを変更できません。サインインしてください。',
  'This is your address already.': 'すでにお使いのアドレスです。',
  'We have just sent a link. Please try again in {0} seconds.':
    'リンクを送ったばかりです。{0}秒後にもう一度お試しください。',
  'This link has expired or was used before. Ask for a new one.':
    'このリンクは期限切れか、すでに使われています。新しいリンクを請求してください。',
  'Another account here has this address. Use another, or sign in with it.':
    'このアドレスは別のアカウントで使われています。別のアドレスを使うか、そのアドレスでサインインしてください。',
  'There is no booking page at this address.': 'このアドレスに予約ページはありません。',
  'This image is larger than 512 KB. Please choose a smaller one.':
    'この画像は512 KBを超えています。小さい画像を選んでください。',
  'This isn’t a PNG, JPEG or WebP image. Please choose one of those.':
    'PNG、JPEG、WebPの画像ではありません。いずれかの形式を選んでください。',
  'This image is {0} by {1} pixels. Please choose one of at most {2} by {3}.':
    'この画像は{0}×{1}ピクセルです。{2}×{3}以内の画像を選んでください。',
  'You’ve uploaded many images. Please try again in an hour.':
    '画像のアップロードが多すぎます。1時間後にもう一度お試しください。',
  '{field} is gone. Please upload the image again.':
    '「{field}」はもうありません。画像をもう一度アップロードしてください。',
  'Only an owner can invite an owner.': '所有者を招待できるのは所有者だけです。',
  'Only an admin can invite an admin.': '管理者を招待できるのは管理者だけです。',
  '{0} is already a member of the team.': '{0}はすでにチームのメンバーです。',
  '{0} already has an account.': '{0}にはすでにアカウントがあります。',
  '"{0}" is reserved. Please choose another.': '「{0}」は予約されています。別のものを選んでください。',
  '{field} must be a colour such as #2563eb, or empty.':
    '「{field}」は#2563ebのような色か、空にしてください。',
  '{field} must begin with https://, or be empty.': '「{field}」はhttps://で始めるか、空にしてください。',
  '{0} is the only host of: {1}. Give that another host, or delete it, first.':
    '{0}は次の唯一の主催者です：{1}。先に別の主催者を追加するか、削除してください。',
  'You cannot raise your own role.': '自分の役割を上げることはできません。',
  'A team needs an owner. Make someone else an owner first.':
    'チームには所有者が必要です。先にほかの人を所有者にしてください。',
  'This is the only admin here. Make someone else an admin first.':
    'これが唯一の管理者です。先にほかの人を管理者にしてください。',
  'This API token is not allowed to {0}.': 'このAPIトークンには{0}の権限がありません。',
  'Sign in first: this needs a valid bearer token.':
    '先にサインインしてください。有効なベアラートークンが必要です。',
  'Nobody signs in by email here. Please use {0}.':
    'ここではメールでのサインインはできません。{0}をお使いください。',
  '{0} has no account here, and signing up is not open to it.':
    '{0}のアカウントはここになく、登録もできません。',
  'An API token cannot see or end sessions. Sign in for that.':
    'APIトークンではセッションの表示も終了もできません。サインインしてください。',
  '{field} must look like name@example.com.': '「{field}」はname@example.comのような形にしてください。',
  'Your session has ended. Please sign in again.':
    'セッションが終了しました。もう一度サインインしてください。',
  'This team has 1 booking, which would be lost. Hide its event types instead.':
    'このチームには1件の予約があり、失われてしまいます。代わりに予約タイプを非表示にしてください。',
  'This team has {0} bookings, which would be lost. Hide its event types instead.':
    'このチームには{0}件の予約があり、失われてしまいます。代わりに予約タイプを非表示にしてください。',
  'An API token cannot make API tokens. Sign in for that.':
    'APIトークンではAPIトークンを作成できません。サインインしてください。',
  '{field} must not be before the first date.': '「{field}」は最初の日付より前にできません。',
  'Choose at most {0} days.': '{0}日以内で選んでください。',
  '{field} must be a date such as 2030-01-31.': '「{field}」には2030-01-31のような日付を指定してください。',
  'There is no such event type. Check the address.': 'その予約タイプはありません。アドレスをご確認ください。',
  '{field} must be {0}, in minutes.': '「{field}」は{0}（分）にしてください。',
  '{field} must be an IANA time zone such as Europe/Berlin.':
    '「{field}」にはEurope/BerlinのようなIANAタイムゾーンを指定してください。',
  '{field} must not be before dateFrom.': '「{field}」はdateFromより前にできません。',
  'Ask for at most {0} days at a time.': '一度に指定できるのは{0}日までです。',
  'This webhook is turned off. Turn it on first.':
    'このWebhookはオフになっています。先にオンにしてください。',
  'There can be at most {0} webhooks.': 'Webhookは{0}件までです。',
  'Choose event types that belong to the webhook’s owner.': 'Webhookの所有者の予約タイプを選んでください。',
  'An API token cannot delete your account. Sign in for that.':
    'APIトークンではアカウントを削除できません。サインインしてください。',
  'Enter the email address that you sign in with, to confirm.':
    '確認のため、サインインに使うメールアドレスを入力してください。',
  'You are the only admin here. Another user must be made an admin first.':
    'ほかに管理者がいません。先に別のユーザーを管理者にする必要があります。',
  'You are the only owner of: {0}. Make someone else an owner, or delete the team, first.':
    '次のチームにはほかに所有者がいません：{0}。先にほかの人を所有者にするか、チームを削除してください。',
  '{0}; {1}': '{0}、{1}',
  '{0}; and {1} more': '{0}、ほか{1}件',
  'You host one upcoming meeting: {0} (times in {1}). Cancel them first, or have them cancelled with your account.':
    '主催するミーティングが1件あります：{0}（{1}の時刻）。先にキャンセルするか、アカウントと一緒にキャンセルしてください。',
  'You host {0} upcoming meetings: {1} (times in {2}). Cancel them first, or have them cancelled with your account.':
    '主催するミーティングが{0}件あります：{1}（{2}の時刻）。先にキャンセルするか、アカウントと一緒にキャンセルしてください。',
  'An API token cannot export your account. Sign in for that.':
    'APIトークンではアカウントをエクスポートできません。サインインしてください。',
  'Your forms have more than {0} responses. Download them form by form, and delete some first.':
    'フォームの回答が{0}件を超えています。フォームごとにダウンロードし、先にいくつか削除してください。',
  'This is not one of your recovery codes, or you have used it before.':
    'リカバリーコードが違うか、すでに使われています。',
  'This sign-in has ended. Ask for a new link.':
    'このサインインは終了しました。新しいリンクを請求してください。',
  'This passkey was not accepted. Try another, or use a recovery code.':
    'このパスキーは受け付けられませんでした。別のパスキーかリカバリーコードをお使いください。',
  'An API token cannot turn on notifications. Sign in for that.':
    'API トークンでは通知をオンにできません。サインインしてください。',
  'You have notifications in {0} browsers. Turn them off in one of them first.':
    '{0} 個のブラウザーで通知がオンになっています。先にどれかをオフにしてください。',
  'This browser no longer takes notifications. Turn them off and on again.':
    'このブラウザーは通知を受け付けなくなりました。オフにしてから、もう一度オンにしてください。',
  'Notifications in browsers are turned off on this instance.':
    'このインスタンスではブラウザーの通知がオフになっています。',
  'An API token cannot see or change passkeys. Sign in for that.':
    'APIトークンではパスキーの表示や変更はできません。サインインしてください。',
  'Passkeys need https and a domain. This service is at {0}.':
    'パスキーにはhttpsとドメインが必要です。このサービスのアドレスは{0}です。',
  'This took too long, or was done before. Please add the passkey again.':
    '時間がかかりすぎたか、すでに完了しています。パスキーをもう一度追加してください。',
  'This passkey was not accepted. Please add it again.':
    'このパスキーは受け付けられませんでした。もう一度追加してください。',
  'This passkey was added before.': 'このパスキーはすでに追加されています。',
  'This service requires a passkey, and this is your only one. Add another first.':
    'このサービスにはパスキーが必要で、これが唯一のものです。先に別のパスキーを追加してください。',
  'Recovery codes stand in for a passkey. Add a passkey first.':
    'リカバリーコードはパスキーの代わりです。先にパスキーを追加してください。',
  'Remove your own passkeys in your profile.': 'ご自身のパスキーはプロフィールで削除してください。',
  'You have {0} passkeys, which is the most. Remove one first.':
    'パスキーは上限の{0}件に達しています。先に1件削除してください。',
  'You signed in a while ago. Please sign in again to change your passkeys.':
    'サインインから時間が経っています。パスキーを変更するには、もう一度サインインしてください。',
  'This service requires a passkey. Add one in the dashboard first.':
    'このサービスにはパスキーが必要です。先にダッシュボードで追加してください。',
  'The receiver answered 410: it is gone for good.': '受信側が410を返しました。受信側はもう存在しません。',
  'Nothing has arrived for five days.': '5日間、何も届いていません。',

  // The names of fields, which stand in quotation marks.
  'The name': '名前',
  'The booking link': '予約リンク',
  'The description': '説明',
  'The time zone': 'タイムゾーン',
  'The email address': 'メールアドレス',
  'The role': '役割',
  'Whether they are disabled': '無効化',
  'Id {1}': 'ID {1}',
  'The text to find': '検索する文字',
  'The address': 'アドレス',
  'The kind': '種別',
  'Kind {1}': '種類{1}',
  'The provider': 'プロバイダー',
  'The connected account': '接続済みアカウント',
  'The calendar': 'カレンダー',
  'The note': 'メモ',
  'The colleague who stands in': '代わりの担当者',
  'The link': 'リンク',
  'The setting for tentative events': '仮の予定の設定',
  'The reason': '理由',
  'The first day': '最初の日',
  'The last day': '最後の日',
  'The start': '開始',
  'The guest’s name': 'ゲストの名前',
  'The guest’s email address': 'ゲストのメールアドレス',
  'The guest’s phone number': 'ゲストの電話番号',
  'The guest’s time zone': 'ゲストのタイムゾーン',
  'The guest’s language': 'ゲストの言語',
  'The notes': '備考',
  'The end': '終了',
  'The team': 'チーム',
  'The owner': '所有者',
  'The duration': '所要時間',
  'The list of durations': '所要時間のリスト',
  'Duration {1}': '所要時間{1}',
  'The time between starts': '開始時刻の間隔',
  'The buffer before': '前の余白',
  'The buffer after': '後の余白',
  'The minimum notice': '予約の締め切り',
  'The booking window': '予約可能期間',
  'The kind of booking window': '予約可能期間の種別',
  'The setting for business days': '営業日の設定',
  'The first date of the booking window': '予約可能期間の最初の日付',
  'The last date of the booking window': '予約可能期間の最後の日付',
  'The set of booking limits': '予約数の上限',
  'The limit per day': '1日の上限',
  'The limit per week': '1週間の上限',
  'The limit per month': '1か月の上限',
  'The limit per year': '1年の上限',
  'The set of limits in minutes': '時間(分)の上限',
  'The limit of minutes per day': '1日の分数の上限',
  'The limit of minutes per week': '1週間の分数の上限',
  'The limit of minutes per month': '1か月の分数の上限',
  'The limit of minutes per year': '1年の分数の上限',
  'The number of seats': '定員',
  'The number of days that personal data is kept': '個人データの保存日数',
  'The number of additional guests': '追加ゲストの人数',
  'The list of guests': 'ゲストのリスト',
  'Guest {1}': 'ゲスト{1}',
  'The approval setting': '承認の設定',
  'The visibility setting': '表示の設定',
  'The location': '場所',
  'The type of location': '場所の種類',
  'The meeting link': '会議リンク',
  'The list of locations': '場所のリスト',
  'Location {1}': '場所{1}',
  'The id of location {1}': '場所{1}のID',
  'The type of location {1}': '場所{1}の種類',
  'The meeting link of location {1}': '場所{1}の会議リンク',
  'The name of location {1}': '場所{1}の名前',
  'The list of questions': '質問のリスト',
  'Question {1}': '質問{1}',
  'The key of question {1}': '質問{1}のキー',
  'The label of question {1}': '質問{1}のラベル',
  'The type of question {1}': '質問{1}の種類',
  'The required setting of question {1}': '質問{1}の必須設定',
  'The visibility of question {1}': '質問{1}の表示設定',
  'The list of options of question {1}': '質問{1}の選択肢のリスト',
  'Option {2} of question {1}': '質問{1}の選択肢{2}',
  'The spam protection': 'スパム対策',
  'The honeypot setting': 'ハニーポットの設定',
  'The CAPTCHA': 'CAPTCHA',
  'The blocklist': 'ブロックリスト',
  'Entry {1} of the blocklist': 'ブロックリストの項目{1}',
  'The duplicates setting': '重複の検出',
  'The limit of attempts per minute': '1分あたりの試行回数の上限',
  'The assignment of hosts': '主催者の割り当て',
  'The position': '位置',
  'The schedule': 'スケジュール',
  'The cancellation cutoff': 'キャンセルの期限',
  'The rescheduling cutoff': '日時変更の期限',
  'The list of reminders': 'リマインダーのリスト',
  'Reminder {1}': 'リマインダー{1}',
  'The list of sites': 'サイトのリスト',
  'Site {1}': 'サイト{1}',
  'The return address': '戻り先のアドレス',
  'Private links only': '専用リンクのみ',
  'Holding times': '時間の仮押さえ',
  'Confirming addresses': 'アドレスの確認',
  'The number of uses': '使用回数',
  'The expiry': '有効期限',
  'The list of hosts': '主催者のリスト',
  'Host {1}': '主催者{1}',
  'An answer': '回答',
  'The setting for calendars that cannot be checked': '確認できないカレンダーの扱い',
  'The calendar for bookings': '予約用のカレンダー',
  'The price': '料金',
  '{field} must be a currency that guests can pay in, such as EUR, in capital letters.':
    '「{field}」には、支払いに使える通貨をEURのような大文字で指定してください。',
  'There is a price for a duration that guests can’t choose: {0} minutes.':
    '選べない所要時間（{0}分）に料金が設定されています。',
  'Connect an account that gets the money first. Then set a price.':
    '先に入金先のアカウントを接続してから、料金を設定してください。',
  'The amount': '金額',
  'The currency': '通貨',
  'The refund': '返金',
  'The refund rule': '返金のルール',
  'The time until which everything is refunded': '全額返金の期限',
  'The share that is refunded later': '期限後の返金割合',
  'The set of prices by duration': '所要時間ごとの料金',
  'The price of a duration': '所要時間の料金',
  'The series': '連続予約',
  'The list of intervals': '間隔のリスト',
  'Interval {1}': '間隔{1}',
  'The most meetings of a series': '連続予約の最大回数',
  'The scope': '範囲',
  'The required setting of host {1}': '主催者{1}の必須設定',
  'The weight of host {1}': '主催者{1}の重み',
  '“Undoable”': '取り消し可能',
  'The host': '主催者',
  'The automatic choice': '自動選択',
  'The weekly schedule': '週間スケジュール',
  'A day of the weekly schedule': '週間スケジュールの曜日',
  'A range of hours': '時間帯',
  'The start of a range of hours': '時間帯の開始',
  'The end of a range of hours': '時間帯の終了',
  'The list of date overrides': '特定日のリスト',
  'A date override': '特定日の設定',
  'The default setting': '既定の設定',
  'The list of fields': 'フィールドのリスト',
  'Field {1}': 'フィールド{1}',
  'The id of field {1}': 'フィールド{1}のID',
  'The label of field {1}': 'フィールド{1}のラベル',
  'The type of field {1}': 'フィールド{1}の種類',
  'The required setting of field {1}': 'フィールド{1}の必須設定',
  'The list of options of field {1}': 'フィールド{1}の選択肢のリスト',
  'Option {2} of field {1}': 'フィールド{1}の選択肢{2}',
  'The id of option {2} of field {1}': 'フィールド{1}の選択肢{2}のID',
  'The label of option {2} of field {1}': 'フィールド{1}の選択肢{2}のラベル',
  'The list of rules': 'ルールのリスト',
  'Rule {1}': 'ルール{1}',
  'The condition of rule {1}': 'ルール{1}の条件',
  'The target of rule {1}': 'ルール{1}の行き先',
  'The action of rule {1}': 'ルール{1}の動作',
  'The event type of rule {1}': 'ルール{1}の予約タイプ',
  'The host filter of rule {1}': 'ルール{1}の主催者フィルター',
  'The address of rule {1}': 'ルール{1}のアドレス',
  'The message of rule {1}': 'ルール{1}のメッセージ',
  'The host of returning guests in rule {1}': 'ルール{1}のリピーターの主催者',
  'How long ago returning guests met their host, in rule {1},': 'ルール{1}のリピーターが前回会ってからの期間',
  'The owner lookup of rule {1}': 'ルール{1}の担当者の検索',
  'How returning guests are recognised in rule {1}': 'ルール{1}のリピーターの見分け方',
  'The fallback': 'それ以外の行き先',
  'The action of the fallback': 'それ以外の動作',
  'The event type of the fallback': 'それ以外の予約タイプ',
  'The host filter of the fallback': 'それ以外の主催者フィルター',
  'The address of the fallback': 'それ以外のアドレス',
  'The message of the fallback': 'それ以外のメッセージ',
  'The host of returning guests in the fallback': 'それ以外のリピーターの主催者',
  'How long ago returning guests met their host, in the fallback,':
    'それ以外のリピーターが前回会ってからの期間',
  'The owner lookup of the fallback': 'それ以外の担当者の検索',
  'How returning guests are recognised in the fallback': 'それ以外のリピーターの見分け方',
  'The list of tests': 'テストのリスト',
  'Test {1}': 'テスト{1}',
  'The name of test {1}': 'テスト{1}の名前',
  'The expected result of test {1}': 'テスト{1}の期待する結果',
  'The expected action of test {1}': 'テスト{1}の期待する動作',
  'The expected event type of test {1}': 'テスト{1}の期待する予約タイプ',
  'The expected address of test {1}': 'テスト{1}の期待するアドレス',
  'The expected message of test {1}': 'テスト{1}の期待するメッセージ',
  'The force parameter': 'forceパラメーター',
  'The list of events': 'イベントのリスト',
  'Event {1}': 'イベント{1}',
  'The list of event types': '予約タイプのリスト',
  'Event type {1}': '予約タイプ{1}',
  'The active setting': '有効の設定',
  'The event': 'イベント',
  'The user name': 'ユーザー名',
  'The password': 'パスワード',
  'The conflicts setting': '重複確認の設定',
  'The setting for adding bookings': '予約の追加の設定',
  'The entry': '項目',
  'The bio': '自己紹介',
  'The address of the picture': '画像のアドレス',
  'The language': '言語',
  'The German form of address': 'ドイツ語の呼びかけ方',
  'Who takes over': '引き継ぐ人',
  'The theme': 'テーマ',
  'The time format': '時刻の形式',
  'The start of the week': '週の始まり',
  'The choice of what members see': 'メンバーが見られる範囲',
  'The branding': 'ブランド',
  'The colour': '色',
  'The address of the logo': 'ロゴのアドレス',
  'Attribute {1}': '属性{1}',
  'The key of attribute {1}': '属性{1}のキー',
  'The label of attribute {1}': '属性{1}のラベル',
  'The type of attribute {1}': '属性{1}の種類',
  'The list of options of attribute {1}': '属性{1}の選択肢のリスト',
  'Option {2} of attribute {1}': '属性{1}の選択肢{2}',
  'The set of attributes': '属性',
  'An attribute': '属性の値',
  'The dry run setting': '試行の設定',
  'The list of scopes': '権限のリスト',
  'Scope {1}': '権限{1}',
  'The number of days until it expires': '期限までの日数',
  'The token': 'トークン',
  'The limit': '上限',
  'Whether to end what it made': '作成したものを終了するか',
  'Whether to cancel meetings': 'ミーティングをキャンセルするか',
  'The cursor': 'カーソル',
  'The status': '状態',
  'The first date': '最初の日付',
  'The last date': '最後の日付',
  'The event type': '予約タイプ',
  'The text to search for': '検索する文字',
  'The order': '順序',
  'A field': 'フィールド',
  'The recovery code': 'リカバリーコード',
  'The passkey’s id': 'パスキーのID',
  'The passkey’s client data': 'パスキーのクライアントデータ',
  'The passkey’s attestation': 'パスキーの証明',
  'The passkey’s data': 'パスキーのデータ',
  'The passkey’s signature': 'パスキーの署名',
  'The subscription': '購読',
  'The browser’s address': 'ブラウザーのアドレス',
  'The expiration time': '有効期限',
  'The pair of keys': '鍵のペア',
  'The service': 'サービス',
  'The kind of row': '行の種類',
  'The state': '状態',
  'Whether only lines with a note are listed': '注記のある行だけを表示するか',
  'The list of choices': '選択のリスト',
  'The list of names in links': 'リンク内の名前のリスト',
  'The list of video services': 'ビデオサービスのリスト',
  'The list of those who stay': '移行しない人のリスト',
  'Entry {1} of those who stay': '移行しない人の{1}番目',
  'The format': '形式',
  'The payload template': 'ペイロードのテンプレート',
  'The browser’s public key': 'ブラウザーの公開鍵',
  'The browser’s secret': 'ブラウザーの秘密の値',
  'The list of notifications': '通知のリスト',
  'Notification {1}': '通知{1}',
  'The list of transports': '転送方式のリスト',
  'Transport {1}': '転送方式{1}',
  'To delete your own account, open your profile, or ask another admin.':
    '自分のアカウントはプロフィールから削除するか、ほかの管理者に依頼してください。',
  'Choose someone else to take over, who has an account and can sign in.':
    'アカウントがありログインできる、ほかの人を選んでください。',
  '{0} is not free for one of these meetings: {1} (times in {2}). Choose someone else, or have it cancelled.':
    '{0}さんはこのうち1件の日時に空きがありません：{1}（{2}の時刻）。ほかの人を選ぶか、キャンセルを選択してください。',
  '{0} is not free for {1} of these meetings: {2} (times in {3}). Choose someone else, or have them cancelled.':
    '{0}さんはこのうち{1}件の日時に空きがありません：{2}（{3}の時刻）。ほかの人を選ぶか、キャンセルを選択してください。',
  'This person is the only owner of: {0}. Choose who takes over, or make someone else an owner first.':
    'この人は次のチームの唯一のオーナーです：{0}。引き継ぐ人を選ぶか、先にほかの人をオーナーにしてください。',
  'Guests have paid for meetings ahead through {0}’s own account, which can’t be handed over: {1} (times in {2}). Cancel these meetings first: that gives the money back.':
    'ゲストは{0}さんの口座を通じて今後のミーティングの支払いを済ませており、この口座は引き継げません：{1}（{2}の時刻）。先にこれらのミーティングをキャンセルしてください。そうすれば返金されます。',
  '{0} hosts one upcoming meeting: {1} (times in {2}). Choose who takes over, or have it cancelled.':
    '{0}さんには今後のミーティングが1件あります：{1}（{2}の時刻）。引き継ぐ人を選ぶか、キャンセルを選択してください。',
  '{0} hosts {1} upcoming meetings: {2} (times in {3}). Choose who takes over, or have them cancelled.':
    '{0}さんには今後のミーティングが{1}件あります：{2}（{3}の時刻）。引き継ぐ人を選ぶか、キャンセルを選択してください。',
  'It lies in the past.': 'この日時は過去です。',
  'It begins sooner than the minimum notice of {0} minutes allows.':
    '予約の締め切り（{0}分前）より後の日時です。',
  'It lies before the booking window opens.': '予約可能期間より前の日時です。',
  'It lies beyond the booking window.': '予約可能期間より後の日時です。',
  'The host has not confirmed their hours yet.': 'ホストがまだ受付時間を確認していません。',
  'It is outside the hours: {0} on {1} in {2} is closed.':
    '受付時間外です：{2}の{1} {0}は受け付けていません。',
  'The meeting would run past the end of the open hours.':
    'ミーティングが受付時間の終わりを過ぎてしまいます。',
  'Starts are {0} minutes apart, counted from when the hours open, and this is between two.':
    '開始時刻は受付時間の始まりから{0}分おきで、この時刻はその間にあります。',
  '{0} Nearest: {1}.': '{0}最も近い時刻：{1}。',
  '{0} Nearest: {1} and {2}.': '{0}最も近い時刻：{1}、{2}。',
  'All its seats are taken.': 'すべての席が埋まっています。',
  'Another meeting takes {0} to {1}.': '{0}から{1}まで別のミーティングがあります。',
  'A buffer would run into the meeting from {0} to {1}.': '余白が{0}から{1}までのミーティングに重なります。',
  'The host is away or busy from {0} to {1}.': 'ホストは{0}から{1}まで不在か予定があります。',
  'The host is away from {0} to {1}. Guests are led to {2}.':
    'ホストは{0}から{1}まで不在です。ゲストは{2}に案内されます。',
  'A connected calendar is known only until {0}.': '連携カレンダーの予定は{0}までしか分かっていません。',
  'Your calendar "{0}" is known only until {1}.': 'カレンダー「{0}」の予定は{1}までしか分かっていません。',
  'A connected calendar has something from {0} to {1}.': '連携カレンダーに{0}から{1}まで予定があります。',
  'Your calendar "{0}" has something from {1} to {2}.': 'カレンダー「{0}」に{1}から{2}まで予定があります。',
  'The limit of {0} per day has been reached.': '1日あたり{0}件の上限に達しています。',
  'The limit of {0} per week has been reached.': '1週間あたり{0}件の上限に達しています。',
  'The limit of {0} per month has been reached.': '1か月あたり{0}件の上限に達しています。',
  'The limit of {0} per year has been reached.': '1年あたり{0}件の上限に達しています。',
  'It would exceed the limit of {0} minutes per day.': '1日あたり{0}分の上限を超えます。',
  'It would exceed the limit of {0} minutes per week.': '1週間あたり{0}分の上限を超えます。',
  'It would exceed the limit of {0} minutes per month.': '1か月あたり{0}分の上限を超えます。',
  'It would exceed the limit of {0} minutes per year.': '1年あたり{0}分の上限を超えます。',
  'The event type has no hosts.': 'このイベントタイプにはホストがいません。',
  'A host’s account is disabled, and meetings need this host. Choose other hosts.':
    '必要なホストのアカウントが無効になっています。ほかのホストを選んでください。',
  'No job {0} has failed.': '失敗したジョブ {0} はありません。',
  Database: 'データベース',
  'SQLite; {0} is made at the first start': 'SQLite。{0} は最初の起動時に作成されます',
  "can't be reached: {0}": '接続できません: {0}',
  'Check DATABASE_URL, and whether the server runs.':
    'DATABASE_URL と、サーバーが動作していることを確認してください。',
  '{0}, connected in {1} ms': '{0}、{1} ミリ秒で接続',
  '{0} is too old': '{0} は古すぎます',
  'Use PostgreSQL 15 or newer.': 'PostgreSQL 15 以降を使用してください。',
  Pooler: 'プーラー',
  'single statements have time-outs': '個別の文にタイムアウトがあります',
  'single statements have no time-outs': '個別の文にタイムアウトがありません',
  'PostgreSQL may compile single statements, which takes longer than running them':
    'PostgreSQL が個別の文をコンパイルすることがあり、実行よりも時間がかかります',
  Standby: 'スタンバイ',
  'follows a primary': 'プライマリに追従しています',
  'DATABASE_READ_URL must lead to a standby. Until then, listings are read from the primary.':
    'DATABASE_READ_URL はスタンバイを指す必要があります。それまで空き時間はプライマリから読み込まれます。',
  'is not a standby': 'スタンバイではありません',
  'Check DATABASE_READ_URL. Until then, listings are read from the primary.':
    'DATABASE_READ_URL を確認してください。それまで空き時間はプライマリから読み込まれます。',
  Connections: '接続数',
  '{0} × ({1} + {2}) = {3} of the {4} that PostgreSQL gives':
    '{0} × ({1} + {2}) = {3}(PostgreSQL の上限は {4})',
  'Set DATABASE_POOL_SIZE={0}, or raise max_connections to {1}.':
    'DATABASE_POOL_SIZE={0} に設定するか、max_connections を {1} に増やしてください。',
  'Raise max_connections to {0}.': 'max_connections を {0} に増やしてください。',
  'A rolling update runs one more instance: raise max_connections to {0}.':
    'ローリングアップデート中はインスタンスが 1 つ増えます。max_connections を {0} に増やしてください。',
  Clock: '時計',
  "{0} s away from the database's": 'データベースの時計とのずれは {0} 秒',
  'Let both machines set their clocks by NTP.': '両方のマシンの時計を NTP で合わせてください。',
  Migrations: 'マイグレーション',
  'the database belongs to a newer version ({0})': 'データベースは新しいバージョンのものです({0})',
  'Use that version, or restore a backup from before.':
    'そのバージョンを使用するか、以前のバックアップを復元してください。',
  'They run when the service starts, or now with `punctual migrate`. Take a backup first.':
    'サービスの起動時に実行されます。今すぐ実行するには `punctual migrate` を使います。先にバックアップを取ってください。',
  '{0} of {1} have not run yet': '{1} 件中 {0} 件が未実行です',
  'all {0} have run': '{0} 件すべて実行済み',
  Jobs: 'ジョブ',
  'the oldest has been due for {0} minutes': '最も古いものは {0} 分前から待っています',
  'See that the service runs, and what its log says.':
    'サービスが動作していることと、ログの内容を確認してください。',
  '`punctual outbox list` says why; `punctual outbox retry --all` tries them again.':
    '`punctual outbox list` で理由がわかり、`punctual outbox retry --all` で再試行できます。',
  '1 was given up': '1 件が中止されました',
  '{0} were given up': '{0} 件が中止されました',
  'none is late, none was given up': '遅れも中止もありません',
  'Check {0}_CLIENT_ID and {1}_CLIENT_SECRET; a secret may have expired.':
    '{0}_CLIENT_ID と {1}_CLIENT_SECRET を確認してください。シークレットの期限が切れている可能性があります。',
  'refuses the client ({0})': 'クライアントが拒否されました({0})',
  'See that this machine can reach {0}.': 'このマシンから {0} に接続できることを確認してください。',
  'Put the service behind https, and set PUBLIC_URL to that address.':
    'サービスを https で公開し、PUBLIC_URL をそのアドレスに設定してください。',
  'sends nobody back to {0}, which is not https': '{0} は https ではないため、そこへ戻れません',
  'answers; its client must have the redirect address {0}':
    '応答あり。クライアントにリダイレクト先 {0} の登録が必要です',
  'Sign-on': 'シングルサインオン',
  'Check OIDC_ISSUER: is it an OpenID Connect provider?':
    'OIDC_ISSUER を確認してください。OpenID Connect プロバイダーですか?',
  'does not tell its {0}': '次の情報がありません: {0}',
  '{0} answers; its client must have the redirect address {1}':
    '{0} が応答。クライアントにリダイレクト先 {1} の登録が必要です',
  'OIDC_ISSUER must be exactly what the provider calls itself.':
    'OIDC_ISSUER はプロバイダー自身の名前と完全に一致する必要があります。',
  'its clock is {0} s away from ours': 'こちらの時計と {0} 秒ずれています',
  'Set this machine’s clock by NTP. Beyond 30 s, nobody can sign in there.':
    'このマシンの時計を NTP で合わせてください。30 秒を超えると、誰もサインインできません。',
  Passkeys: 'パスキー',
  'required, for {0}': '{0} で必須',
  Settings: '設定',
  'valid, for production': '有効(本番用)',
  'valid, but not for production': '有効(本番用ではありません)',
  'On a server for real guests, set NODE_ENV=production: it keeps the demo workspace out.':
    '実際のゲストが使うサーバーでは NODE_ENV=production を設定してください。デモ用ワークスペースが作られなくなります。',
  '{0} is writable, {1} free': '{0} は書き込み可能、空き {1}',
  'Make room: a full disk loses nothing that was acknowledged, but takes no bookings.':
    '空き容量を増やしてください。ディスクがいっぱいでも確定済みのものは失われませんが、予約は受け付けられません。',
  "{0} can't be written to: {1}": '{0} に書き込めません: {1}',
  'Let the account that runs the service own this folder.':
    'サービスを実行するアカウントをこのフォルダーの所有者にしてください。',
  Mail: 'メール',
  'written to {0}, not sent': '{0} に保存され、送信されません',
  'Set SMTP_URL: guests and hosts get no emails.':
    'SMTP_URL を設定してください。ゲストにもホストにもメールが届きません。',
  "{0} can't be used: {1}": '{0} を使用できません: {1}',
  'Check SMTP_URL, and whether this machine may connect to it. Emails wait until then.':
    'SMTP_URL と、このマシンから接続できることを確認してください。それまでメールは待機します。',
  '{0} answers, but the sender is {1}': '{0} は応答しますが、差出人が {1} です',
  'Set MAIL_FROM to an address of yours that this mail server may send for.':
    'MAIL_FROM に、このメールサーバーから送信できる自分のアドレスを設定してください。',
  '{0} answers': '{0} が応答',
  '{0} works on this machine only': '{0} はこのマシンでのみ有効です',
  'Set PUBLIC_URL to what guests see: links in emails begin with it.':
    'PUBLIC_URL をゲストに見えるアドレスに設定してください。メール内のリンクはこれで始まります。',
  '{0} is not https': '{0} は https ではありません',
  'Put a proxy with TLS in front: personal data travels unprotected, and browsers refuse the ALTCHA check.':
    'TLS を使うプロキシを前に置いてください。個人データが保護されずに送られ、ブラウザーは ALTCHA の確認を拒否します。',
  'Start the service, and see that the proxy leads to it. This machine may also be unable to reach itself.':
    'サービスを起動し、プロキシがサービスにつながることを確認してください。このマシンから自分自身に接続できない場合もあります。',
  '{0} leads to the service': '{0} からサービスに接続できます',
  '{0}/healthz answers {1}, and not as this service would':
    '{0}/healthz の応答は {1} で、このサービスのものではありません',
  "{0} can't be reached from here: {1}": 'ここから {0} に接続できません: {1}',
  'The response was {0}.': '応答は {0} でした。',
  'The response was {0}. Redirects are not followed.':
    '応答は {0} でした。リダイレクトには対応していません。',
  'The response was incomplete.': '応答が途中で切れました。',
  'The mail server refuses the recipient: {0}': 'メールサーバーが宛先を拒否しました: {0}',
  'This booking was rescheduled {0} times in a day. Please try again tomorrow, or contact the host.':
    'この予約は1日に{0}回変更されました。明日もう一度お試しになるか、主催者にご連絡ください。',
  'The file has more than {0} rows. Split it into several files.':
    'ファイルの行数が{0}を超えています。複数のファイルに分けてください。',
  'Too many times are being held just now. You can book without holding a time.':
    '現在、確保されている時間が多すぎます。時間を確保しなくても予約できます。',
  'Rule {0} matches, but its event type is hidden or deleted, so it leads to {1} instead of {2}.':
    'ルール{0}に一致しますが、そのイベントタイプは非表示か削除済みのため、{2}ではなく{1}に進みます。',
  'No rule matches, and the event type of the fallback is hidden or deleted, so it leads to {0} instead of {1}.':
    '一致するルールがなく、それ以外の場合のイベントタイプは非表示か削除済みのため、{1}ではなく{0}に進みます。',
  'The set of answers': '回答',
  'The set of answers of test {1}': 'テスト{1}の回答',
  'The keys of this CAPTCHA are not set up here, so guests would be stuck. Choose ALTCHA, or ask an admin for the keys.':
    'このCAPTCHAのキーがここでは設定されていないため、ゲストは先に進めません。ALTCHAを選ぶか、管理者にキーを依頼してください。',
  'A filter can name at most {0} values.': 'フィルターに指定できる値は{0}個までです。',
  '{field} must be at least {0} characters.': '「{field}」は{0}文字以上にしてください。',
  'Choose who takes these meetings over.': 'これらのミーティングを引き継ぐ人を選んでください。',
  'Two filters are called "{0}".': '「{0}」という名前のフィルターが2つあります。',
  '{field} must be at most {0} days after the start.': '「{field}」は開始から{0}日以内にしてください。',
  'Webhook: {0}': 'Webhook：{0}',
  'Email to {0}: {1}': '{0}へのメール：{1}',
  'Calendar entry': 'カレンダーの予定',
  'Calendar entry of {0}': '{0}さんのカレンダーの予定',
  'Meeting link': 'ミーティングのリンク',
  'the guest': 'ゲスト',
  'an additional guest': '追加のゲスト',
  'a former host': '以前のホスト',
  'The meeting was requested.': 'ミーティングがリクエストされました。',
  'The meeting was booked.': 'ミーティングが予約されました。',
  'The request was approved.': 'リクエストが承認されました。',
  'The request was declined.': 'リクエストが辞退されました。',
  'The meeting was cancelled.': 'ミーティングがキャンセルされました。',
  'The meeting was rescheduled.': 'ミーティングの日時が変更されました。',
  'The meeting was handed over.': 'ミーティングが引き継がれました。',
  'The provider has a payment in {0}, and the ledger in {1}.':
    '決済サービスの支払いは {0}、台帳では {1} です。',
  'The provider has reserved {0}, and the ledger says {1}.':
    '決済サービスでは {0} が確保され、台帳では {1} です。',
  'The provider has received {0}, and the ledger says {1}.':
    '決済サービスの受取額は {0}、台帳では {1} です。',
  'The provider has refunded {0}, and the ledger says {1}.':
    '決済サービスの返金額は {0}、台帳では {1} です。',
  'The provider has disputes about {0}, and the ledger says {1}.':
    '決済サービスで異議申し立てを受けた額は {0}、台帳では {1} です。',
  'The provider has a payment of {0} for a booking that is not here.':
    '決済サービスに、ここにはない予約の支払い {0} があります。',
  'The ledger has a payment of {0} that the provider doesn’t know.':
    '台帳に、決済サービスにない支払い {0} があります。',
  'A refund of {0} has failed.': '{0} の返金に失敗しました。',
  'A guest’s bank asks for {0} back. Answer at the payment provider.':
    'ゲストの銀行が {0} の返還を求めています。決済サービスで回答してください。',
  'The guest has paid.': 'ゲストが支払いました。',
  'The guest chose this time, and went to pay.': 'ゲストがこの日時を選び、支払いに進みました。',
  'Money was refunded.': '返金されました。',
  'The answer was undone.': '回答が取り消されました。',
  'The guest was marked as a no-show.': 'ゲストが欠席として記録されました。',
  'The no-show was undone.': '欠席の記録が取り消されました。',
  'The calendar entry was put back.': 'カレンダーの予定が元に戻されました。',
  Reminder: 'リマインダー',
  'The booking was changed.': '予約が変更されました。',
  'The form': 'フォーム',
  'Form {1}': 'フォーム{1}',
  'The action': '操作',
  'The list of bookings': '予約',
  'Booking {1}': '予約{1}',
  'The name of filter {1}': 'フィルター{1}の名前',
  'The query of filter {1}': 'フィルター{1}の条件',
  'The access to {0} has ended. Connect the account again.':
    '{0} へのアクセスが終了しました。アカウントを接続し直してください。',
  'The calendar “{0}” could not be read.': 'カレンダー「{0}」を読み取れませんでした。',
  'The webhook to {0} is failing.': '{0} への Webhook が失敗しています。',
  'The webhook to {0} was disabled.': '{0} への Webhook は無効になりました。',
  '{0} hasn’t accepted the invitation.': '{0} はまだ招待を承諾していません。',
  '{0} hasn’t accepted the invitation to {1}.': '{0} はまだ {1} への招待を承諾していません。',
  'An email to {0} could not be delivered.': '{0} さんへのメールを配信できませんでした。',
  'Nobody can book “{0}” in the next {1} days.': '「{0}」は今後 {1} 日間、誰も予約できません。',
  '“{0}” is a video call without a link.': '「{0}」はビデオ通話ですが、リンクがありません。',
  'The CAPTCHA of “{0}” has no keys here, so guests can’t get past it.':
    '「{0}」の CAPTCHA のキーがここにないため、ゲストは先に進めません。',
  'A newer version has changed the database. Update this instance, too.':
    '新しいバージョンがデータベースを変更しました。このインスタンスも更新してください。',
  'Backups are scheduled, but none has been taken yet.':
    'バックアップは予定されていますが、まだ一度も作成されていません。',
  'The backup is overdue. The last one is from {0}.':
    'バックアップが遅れています。最後のバックアップは {0} のものです。',
  'An email could not be delivered.': 'メールを配信できませんでした。',
  '{0} emails could not be delivered.': '{0} 件のメールを配信できませんでした。',
  'The order must name each event type of the owner once. Load the list again.':
    '並び順には、所有者のすべての予約タイプを 1 回ずつ指定してください。一覧を読み込み直してください。',
  'The list of ids': 'IDの一覧',
  'There can be at most {0} messages.': 'メッセージは最大{0}件です。',
  'This instance sends no text messages.': 'このインスタンスはSMSを送信しません。',
  'Choose event types that belong to the message’s owner.':
    'メッセージの所有者の予約タイプを選んでください。',
  'Choose forms that belong to the message’s owner.': 'メッセージの所有者のフォームを選んでください。',
  'You have no email address.': 'メールアドレスがありません。',
  'The guest has been erased.': 'ゲストのデータは消去されました。',
  'They have unsubscribed from mail like this.': 'このようなメールの配信は停止されています。',
  'Write the text in your own language, too: {0}.': 'ご自身の言語（{0}）の文章も入力してください。',
  'Only messages before, after or without a booking have a number of minutes.':
    '分数を指定できるのは、開始前・終了後・未予約のメッセージだけです。',
  'A message without a booking goes to the guest or to the hosts.':
    '未予約のメッセージの宛先はゲストかホストです。',
  'Text messages go to the guest alone.': 'SMSの宛先はゲストだけです。',
  'A message without a booking belongs to forms, not to event types.':
    '未予約のメッセージは予約タイプではなくフォームに属します。',
  'Only a message without a booking belongs to forms.': 'フォームに属するのは未予約のメッセージだけです。',
  'This is listed twice.': '同じものが二度指定されています。',
  'A text message can’t replace a mail of the service.':
    'SMSでサービスのメールを置き換えることはできません。',
  'The service sends no mail of its own at this moment, so there is nothing to replace.':
    'この時点でサービスが送るメールはないため、置き換えるものがありません。',
  'A text message has no subject.': 'SMSに件名はありません。',
  '{0} (line {1}, column {2})': '{0}（{1}行{2}列）',
  'There is no {0} in a message of this kind.': 'この種類のメッセージに{0}はありません。',
  'There is no value called "{0}".': '「{0}」という値はありません。',
  'A link leads to an address with https:, http: or mailto:, or is one of the link values.':
    'リンク先は https:、http:、mailto: のアドレスか、リンクの値にしてください。',
  'A value can’t be part of a web address.': '値をウェブアドレスの一部にすることはできません。',
  '“{0}” already replaces this mail. Change that message instead, or add this one without replacing.':
    '「{0}」がすでにこのメールを置き換えています。そちらを変更するか、置き換えずに追加してください。',
  'The meeting had already started.': 'ミーティングはすでに始まっていました。',
  'It was more than 24 hours late.': '24時間以上遅れていました。',
  'The booking was waiting for its payment.': '予約は支払い待ちでした。',
  'The booking was not paid in time.': '予約は期限までに支払われませんでした。',
  'The booking was waiting for approval.': '予約は承認待ちでした。',
  'The booking was confirmed.': '予約は確定していました。',
  'The booking was declined.': '予約は辞退されました。',
  'The booking was cancelled.': '予約はキャンセルされました。',
  'The meeting was over.': 'ミーティングは終了していました。',
  'The guest did not come.': 'ゲストは来ませんでした。',
  'This {{ has no }} on its line.': 'この {{ と同じ行に }} がありません。',
  'This {{#if}} has no {{/if}}.': 'この {{#if}} に対応する {{/if}} がありません。',
  'Only {{#if NAME}} opens a block.': 'ブロックを始められるのは {{#if NAME}} だけです。',
  'At most {0} {{#if}} can be inside each other.': '{{#if}} を入れ子にできるのは{0}段までです。',
  'There is no {{#if}} before this {0}.': 'この {0} の前に {{#if}} がありません。',
  'This {{#if}} has a second {0}.': 'この {{#if}} に2つ目の {0} があります。',
  'Only {{/if}} closes a block.': 'ブロックを終えられるのは {{/if}} だけです。',
  'There is no {{#if}} before this {{/if}}.': 'この {{/if}} の前に {{#if}} がありません。',
  'Only start and end can be written with "| date" or "| time".':
    '「| date」「| time」を使えるのは start と end だけです。',
  'When it is booked': '予約されたとき',
  'When it is requested': 'リクエストされたとき',
  'When it is approved': '承認されたとき',
  'When it is declined': '辞退されたとき',
  'When it is cancelled': 'キャンセルされたとき',
  'When it is moved': '日程が変更されたとき',
  'When the guest did not come': 'ゲストが来なかったとき',
  '{0} minutes before the start': '開始{0}分前',
  'An hour before the start': '開始1時間前',
  '{0} hours before the start': '開始{0}時間前',
  'A day before the start': '開始1日前',
  '{0} days before the start': '開始{0}日前',
  '{0} minutes after the end': '終了{0}分後',
  'An hour after the end': '終了1時間後',
  '{0} hours after the end': '終了{0}時間後',
  'A day after the end': '終了1日後',
  '{0} days after the end': '終了{0}日後',
  '{0} minutes after the answers, without a booking': '回答の{0}分後（予約がない場合）',
  'An hour after the answers, without a booking': '回答の1時間後（予約がない場合）',
  '{0} hours after the answers, without a booking': '回答の{0}時間後（予約がない場合）',
  'A day after the answers, without a booking': '回答の1日後（予約がない場合）',
  '{0} days after the answers, without a booking': '回答の{0}日後（予約がない場合）',
  'The message': 'メッセージ',
  'The moment': 'タイミング',
  'The number of minutes': '分数',
  'The channel': '送信方法',
  'The list of forms': 'フォームの一覧',
  'The enabled setting': '有効の設定',
  'The replaces setting': '置き換えの設定',
  'The text': '本文',
  'The branch': '分岐',
  'The subject': '件名',
  'The recipient': '宛先',
  'The booking': '予約',
  'They have booked.': 'すでに予約済みです。',
  'The answers have no email address.': '回答にメールアドレスがありません。',
  'the provider answers; allowed are {0}': 'プロバイダーから応答がありました。送信できる国番号：{0}',
  'Check the settings of SMS_PROVIDER, and that this machine can reach it.':
    'SMS_PROVIDERの設定と、このマシンから接続できることを確認してください。',
  'The phone company did not deliver it ({0}).': '電話会社が配信できませんでした（{0}）。',
  'It is unknown whether this was sent: the provider gave no clear answer.':
    '送信されたかどうか不明です。プロバイダーから明確な応答がありませんでした。',
  'The guest has not agreed to text messages.': 'ゲストはSMSの受信に同意していません。',
  'This instance sends no text messages to that country.': 'このインスタンスはその国にSMSを送信しません。',
  'They have answered STOP.': 'STOPの返信がありました。',
  'This number has had {0} text messages today.': 'この番号には本日すでに{0}件のSMSを送信しています。',
  'The limit of {0} text messages a day is reached.': '1日{0}件のSMSの上限に達しました。',
  'The provider refuses it ({0}).': 'プロバイダーに拒否されました（{0}）。',
  'The provider refuses it: {0} ({1})': 'プロバイダーに拒否されました：{0}（{1}）',
  'The provider of text messages can’t be reached.': 'SMSのプロバイダーに接続できません。',
  'The provider of text messages refuses our key.': 'SMSのプロバイダーがキーを拒否しています。',
  'Guests agree to text messages when they book, so nobody else gets them.':
    'ゲストは予約時にSMSに同意するため、それ以外の人には送信されません。',
  '{field} must begin with + and the country code for text messages, such as +49 151 23456789.':
    'SMSを受け取るには、{field}を+と国番号から入力してください（例：+49 151 23456789）。',
  'Text message to {0}: {1}': '{0}へのSMS：{1}',
  'The person': '人',
  'The list of members': 'メンバー',
  'The list of sessions': 'セッション',
  'The list of API tokens': 'APIトークン',
  'The list of recovery codes': 'リカバリーコード',
  'The secret': 'シークレット',
  'The list of responses': '回答',
  'The copy': 'コピー',
  '“is”': '「が次と同じ」',
  '“is not”': '「が次と異なる」',
  '“contains”': '「に次を含む」',
  '“does not contain”': '「に次を含まない」',
  '“starts with”': '「が次で始まる」',
  '“ends with”': '「が次で終わる」',
  '“is empty”': '「が空欄」',
  '“is not empty”': '「が空欄でない」',
  '“is one of”': '「が次のいずれか」',
  '“is only”': '「のみ」',
  '“is less than”': '「より小さい」',
  '“is at most”': '「以下」',
  '“is greater than”': '「より大きい」',
  '“is at least”': '「以上」',
  'The service stopped while it was reading. Please start again.':
    '読み取り中にサービスが停止しました。もう一度始めてください。',
  'This import is still being read.': 'このインポートはまだ読み取り中です。',
  'This import is being applied already.': 'このインポートはすでに適用中です。',
  'This import was applied already.': 'このインポートはすでに適用されています。',
  'This import was undone. Start another one to move in again.':
    'このインポートは取り消されました。もう一度移行するには、新しいインポートを始めてください。',
  'This import has failed. Please start again.': 'このインポートは失敗しました。もう一度始めてください。',
  'A dump may have at most 1 GB. Compress it with gzip, or have the database read itself.':
    'ダンプは最大1 GBです。gzipで圧縮するか、データベースを直接読み取らせてください。',
  'There is no field {field}.': '「{field}」という項目はありません。',
  '{field} must be text of at most {0} characters.': '「{field}」は{0}文字以内のテキストにしてください。',
  '{field} is missing.': '「{field}」がありません。',
  'Calendly has no database to read.': 'Calendlyには読み取れるデータベースがありません。',
  'Give either a database, or an API and its token.':
    'データベース、またはAPIとそのトークンのどちらかを指定してください。',
  '{field} must begin with postgres://.': '「{field}」はpostgres://で始まる必要があります。',
  '{field} must begin with https://.': '「{field}」はhttps://で始まる必要があります。',
  'The dump is empty.': 'ダンプが空です。',
  'Only an import that was applied can be undone.': '取り消せるのは、適用されたインポートだけです。',
  'A later import builds on this one. Undo that one first.':
    '後のインポートがこれに基づいています。先にそちらを取り消してください。',
  'Somebody has booked since this import was applied, so it can no longer be undone.':
    'このインポートの適用後に予約が入ったため、取り消すことはできません。',
  'It has changed there since it came over.': '移行後に、移行元で変更されました。',
  'It has changed there, and here as well, so it stays as it is.':
    '移行元でもこちらでも変更されたため、そのままにします。',
  'It was deleted here, so it does not come over again.':
    'こちらで削除されたため、再び移行することはありません。',
  'It is gone there, and stays here.': '移行元にはもうありませんが、こちらには残ります。',
  'Something went wrong while reading. Please start again, or ask the operator.':
    '読み取り中に問題が起きました。もう一度始めるか、運用者にお問い合わせください。',
  'It belongs to something that does not come over.': '移行されないものに属しています。',
  'Say where the dump comes from: ?source=calcom.': 'ダンプの取得元を指定してください：?source=calcom',
} satisfies Refusals
