// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pieces of files that hold metadata: segments of JPEG, chunks of PNG, texts, resolutions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/module/bytes.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {

inline constexpr std::string_view exif_mark{"Exif\0\0", 6};
inline constexpr std::uint64_t jpeg_app0 = 0xffe0, jpeg_app1 = 0xffe1, jpeg_app2 = 0xffe2,
                               jpeg_app11 = 0xffeb, jpeg_app12 = 0xffec, jpeg_app13 = 0xffed,
                               jpeg_app14 = 0xffee, jpeg_comment = 0xfffe;

/// A segment of a JPEG file.
struct Segment {
  std::uint64_t marker = 0, at = 0, size = 0;  ///< of what follows marker and length

  std::string body(Bytes& in) const { return in.text(at, size); }
  bool begins(Bytes& in, std::string_view mark) const {
    return size >= mark.size() && in.text(at, mark.size()) == mark;
  }
};

/// The application segments and comments before the picture's samples; `end` is after those that
/// come before the picture's own segments.
std::vector<Segment> head_of_jpeg(Bytes& in, std::uint64_t& end);
/// Names of application segments that nothing is read of, with commas between them.
std::string others_in_jpeg(const std::filesystem::path& path, int page);
/// How many bytes follow the file's first picture, of which its index of pictures says nothing.
std::uint64_t bytes_behind_jpeg(const std::filesystem::path& path);
/// The attribute with the names of a file's data that are of unknown kinds, with commas.
inline constexpr char other_data[] = "sfumato:other_data";
/// The attribute of a picture with smaller copies of itself (mip-map or rip-map levels).
inline constexpr char smaller_copies[] = "sfumato:levels";
/// The attribute of a file that has more than most_pages pages or frames, of which those are read.
inline constexpr char pages_beyond[] = "sfumato:pages_beyond";

/// Puts all comments of a JPEG file's page into its description, beside that of EXIF.
void read_jpeg_comments(const std::filesystem::path& path, int page, OIIO::ImageSpec& spec);
/// The same for a JPEG 2000 codestream, in a file of its own or in boxes. Comments that are no
/// texts are counted as "sfumato:binary_comments".
void read_jpeg2000_comments(const std::filesystem::path& path, OIIO::ImageSpec& spec);
/// Puts such comments into a description, beside EXIF's, if that is not empty.
void note_comment(const std::string& comment, const std::string& exif, OIIO::ImageSpec& spec);
/// The attribute that says which comments are the file's own; JPEG 2000 files are written with it.
inline constexpr char own_comment[] = "sfumato:comment";
/// The most bytes of it in JPEG 2000.
inline constexpr std::size_t most_jpeg2000_comment = 65500;

/// The pictures of a JPEG file: the file's own, and those of its Multi-Picture index, without
/// smaller copies of it.
struct JpegPictures {
  std::vector<std::uint64_t> begins;  ///< where each begins: the first at 0
  bool gain_map = false;              ///< there is one besides; it is none of them
};
JpegPictures pictures_in_jpeg(const std::filesystem::path& path);
/// Offsets count from the beginning of a page, from 1; 0 is the first one, too. One that is not
/// there is empty.
Bytes opened_jpeg(const std::filesystem::path& path, int page);
/// Whether a picture's Photoshop resources are such that OpenImageIO would not read IPTC of them,
/// or would read other bytes: it is not shown them.
bool has_hidden_resources(Bytes jpeg);

/// EXIF as files hold it, with or without a mark in front.
Exif exif_in_block(std::string block);
/// The mark of a description whose EXIF cannot be read at all.
inline constexpr char unread_exif[] = "sfumato:unread_exif";
/// Metadata of a PNG file as bytes, wherever in the file and in whichever chunks they are.
struct PngMetadata {
  std::string exif, iptc, xmp, resources;
  std::string unread;  ///< keywords of texts that hold such, but are damaged or too long
  bool xmp_is_cut = false, resources_are_cut = false;
};
PngMetadata metadata_in_png(Bytes& in);
/// A text about a PNG file's picture as UTF-8, with the chunk that holds it.
struct PngText {
  std::string keyword, text, language, chunk;
};
/// `unread` gets the keywords of those that are damaged or too long.
std::vector<PngText> texts_in_png(Bytes& in, std::string& unread);
/// The profile that ImageMagick writes as a text where it cannot write one; empty if there is none.
std::vector<unsigned char> raw_profile_in_png(const std::filesystem::path& path);
/// Removes names that only our own readers give, which a file may hold as texts or attributes.
void remove_own_names(OIIO::ImageSpec& spec);
/// Takes XMP into a description, without such names.
void decode_xmp_of_file(const std::string& packet, OIIO::ImageSpec& spec);
/// Removes what texts of a PNG file gave that bear names of other things than texts.
void remove_posing_texts(const std::filesystem::path& path, OIIO::ImageSpec& spec);
/// Completes a description by EXIF that OpenImageIO does not find.
void read_png_exif(const std::filesystem::path& path, OIIO::ImageSpec& spec);
/// Leaves out a PNG file's opacity if its palette says that all colours are opaque.
void leave_out_full_opacity(const std::filesystem::path& path, OIIO::ImageSpec& spec);
/// An image resource of a PSD file; empty if there is none.
std::string psd_resource(Bytes& in, std::uint64_t id);
std::string exif_in_psd(const std::filesystem::path& path);
void read_psd(Bytes& in, Metadata& out);
/// Photoshop's image resources with IPTC among them, or made of it.
std::string iptc_of_resources(std::string_view resources);
/// Those of them that say something about the picture, or of which nothing is known, as they are.
/// `cut` becomes true if one makes no sense: those before it are returned.
std::string carried_resources(std::string_view resources, bool& cut);
bool is_carried_resource(std::uint64_t id);
/// Whether a resource begins so: Photoshop's own, or one of another program.
bool is_resource_mark(std::string_view mark);
/// Those without a grid and guides, whose places are counted in pixels.
std::string without_guides(std::string_view resources);
std::string resources_of(const std::string& iptc);

/// Where a TIFF page's directory is, as the reader of several pages says; 0: that of the first one.
std::uint64_t directory_of(const OIIO::ImageSpec& page);
void set_directory(OIIO::ImageSpec& page, std::uint64_t place);
/// Texts that EXIF has no place for, a line each: PNG's of any keyword, OpenEXR's own attributes.
std::string other_texts(const OIIO::ImageSpec& spec);
/// Names of texts that become a comment where there is no place for each.
std::string names_of_texts(const OIIO::ImageSpec& spec);
/// The bytes of one value of a TIFF directory, of whatever type; empty if it is not there.
std::string tiff_bytes(Bytes& in, const TiffDirectory& directory, std::uint16_t tag, int& type);

/// The profile in a BMP or GIF file, not whole if it is cut; empty if there is none.
std::vector<unsigned char> profile_in_bmp(const std::filesystem::path& path);
std::vector<unsigned char> profile_in_gif(const std::filesystem::path& path);
/// Primaries and a curve that a BMP file's header states.
DeclaredColors colors_in_bmp(const std::filesystem::path& path);
/// Those of a TIFF page's tags, of a Radiance HDR file's header, and of a JP2 file's boxes.
DeclaredColors colors_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& spec);
DeclaredColors colors_in_radiance(const std::filesystem::path& path);
DeclaredColors colors_in_jp2(const std::filesystem::path& path, const OIIO::ImageSpec& spec);

/// The tags of a directory that go into another TIFF file as they are. `cut` becomes true if some
/// are too long or point at other places.
TiffEntries carried_tags(Bytes& in, const TiffDirectory& directory, bool& cut);
/// Whether a tag is one of them.
bool is_carried_tag(std::uint16_t tag);
/// Whether some of them are georeferencing, a page's place, or others (Property::private_tags).
bool has_tags(const TiffEntries& tags, Property property);
/// Whether a page has content credentials (C2PA), which vouch for its samples.
bool has_credentials_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& page);
/// Names of the standard's tags of a page that say something and that nothing is read of, with
/// commas.
std::string unread_tags_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& page);
/// States that the first channel is gray and the others none, but for opacity (TIFF 6,
/// ExtraSamples).
void set_gray_samples(TiffEntries& tags, const OIIO::ImageSpec& page, bool straight);
/// What a directory's picture is to the file's other ones: bits of these (TIFF 6, NewSubfileType).
inline constexpr std::uint16_t subfile_type = 254, sub_pictures = 330;
inline constexpr int subfile_reduced = 1, subfile_page = 2, subfile_mask = 4;
int subfile_type_in(const TiffEntries& tags);
void set_subfile_type(TiffEntries& tags, int type);
/// Whether a page has Photoshop's layers beside it.
bool has_photoshop_layers(const std::filesystem::path& path, const OIIO::ImageSpec& page);
/// The number of pictures that belong to a page, but are no smaller copies of it (SubIFDs).
int further_pictures_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& page);
/// As subfile_type_in(), of a directory in a file, with what older files say instead.
int subfile_bits(Bytes& in, const TiffDirectory& directory);
/// Whether several pictures are no smaller copies of others.
bool has_more_tiff_pages(const std::filesystem::path& path);

void append_big_endian(std::string& to, std::size_t value, int bytes);
std::uint64_t big_endian_at(std::string_view text, std::size_t at, int bytes);

/// `body` is a PNG chunk's name and data.
std::string png_chunk(const std::string& body);
/// A PNG file's chunk, its data being `size` bytes at `at`.
struct Chunk {
  std::string name;
  std::uint64_t at = 0, size = 0;

  std::uint64_t begin() const { return at - 8; }
  std::uint64_t end() const { return at + size + 4; }
};
/// The chunks before the picture's data, and those that describe the picture but come after `data`,
/// the place where its data begins.
std::vector<Chunk> head_of_png(Bytes& in);
std::vector<Chunk> late_chunks_of_png(Bytes& in, std::uint64_t& data);
/// The first chunks of a PNG file that are no data; of more than so many, no list is made.
inline constexpr std::size_t most_png_chunks = 10000;
std::vector<Chunk> chunks_of_png(Bytes& in);
/// Throws FileError if the texts of a PNG file are longer than so many bytes.
inline constexpr std::uint64_t most_png_text = 4 * Bytes::largest;
void check_png_texts(const std::filesystem::path& path);
/// The chunk that says where on a page or screen the picture lies, if that is too far away for
/// OpenImageIO's sums.
std::optional<Chunk> far_offset_in_png(Bytes& in);
/// Bytes as an attribute; empty if there is none.
void put_bytes(OIIO::ImageSpec& spec, const char* name, const std::string& bytes);
std::string bytes_in(const OIIO::ImageSpec& spec, const char* name);
/// What the display that a picture was made on can show, and how bright the picture is: the data of
/// PNG's mDCV and cLLI.
inline constexpr char mastering_display[] = "sfumato:mastering",
                      light_level[] = "sfumato:light_level";
/// Names of texts that are left out: what cannot be read of them, and what is too long for another
/// PNG file.
inline constexpr char unread_texts[] = "sfumato:png_unread", uncarried_texts[] = "sfumato:png_long";
/// Notes in a description what goes into another PNG file as it is ("sfumato:png_..."), and the
/// texts that no other format gets ("sfumato:other_texts"), such as those in other languages or
/// beside EXIF's, or none but OpenEXR ("sfumato:attribute_texts").
void read_png_chunks(const std::filesystem::path& path, OIIO::ImageSpec& spec);
/// The texts of a PNG file as its chunks; takes them out of the description of the new file.
std::string take_carried_texts(const OIIO::ImageSpec& from, OIIO::ImageSpec& to);
/// The background colour for a picture of one colour channel or three; empty if there is none, or
/// it cannot be said so.
std::string ground_chunk(const OIIO::ImageSpec& from, int colors, bool eight_bits);
std::string light_chunks(const OIIO::ImageSpec& from);
/// How many frames the file says that it has; 0 if it is no animation.
std::uint64_t announced_frames_of_png(Bytes& in);
/// The number of frames of an animation that are there; 1 if it is none.
int frames_of_png(const std::filesystem::path& path);
/// Whether there is a profile, whatever it is.
bool has_profile_in_png(const std::filesystem::path& path);
/// Whether the picture of an animated PNG file, which other programs show, is none of its frames.
bool is_beside_frames(const std::filesystem::path& path);
/// A box of a JPEG 2000 or HEIF file, its body being `size` bytes at `at`.
struct Box {
  std::string name;
  std::uint64_t at = 0, size = 0;
};
/// The boxes from one offset to another.
std::vector<Box> boxes_in(Bytes& in, std::uint64_t at, std::uint64_t end);
/// The first box of this name within another one; empty if there is none.
Box inner_box(Bytes& in, const Box& outer, std::string_view name);
/// Its contents without version and flags; `version` receives the former.
Box full_box_within(Bytes& in, const Box& outer, std::string_view name, std::uint64_t& version);
/// Whether a movie follows the picture, as in motion photos.
bool has_movie_in_jpeg(const std::filesystem::path& path);
/// What is in a HEIF or AVIF file besides pictures.
struct HeifAttached {
  bool movie = false, gain_map = false, credentials = false;
  std::string auxiliary;  ///< kinds of other auxiliary pictures than opacity, with commas
  std::string others;     ///< kinds of data that nothing is read of, with commas
  /// Items that are gain maps, or made with them, and might be taken for pictures.
  std::vector<std::uint32_t> maps;
};
HeifAttached attached_in_heif(const std::filesystem::path& path);
/// The shape of pixels, the mastering display and the light level of a HEIF or AVIF file.
void read_heif_properties(const std::filesystem::path& path, OIIO::ImageSpec& spec);
/// The number of frames of a HEIF or AVIF file's sequence; 1 if there is none.
int frames_of_heif(const std::filesystem::path& path);

/// Writes bytes at a place of a file. False if that cannot be done.
bool write_at(int descriptor, std::string_view bytes, std::uint64_t at);
/// States a directory's resolution as in the entries `exact` or, if it is not there, in decimal
/// digits: libtiff states the float number to its last bit, and OpenImageIO none below 1. False if
/// that cannot be written.
bool settle_fractions_of_tiff(int descriptor, Bytes& in, const TiffDirectory& directory,
                              const TiffEntries& exact);
/// Settles these, and leaves out dates that OpenImageIO wants to be stated. False if that cannot be
/// written.
bool settle_tiff_directories(int descriptor, const std::filesystem::path& path,
                             const TiffEntries& exact);
/// Replaces the first `from` bytes of a file by others. False if that cannot be written.
bool replace_head(int descriptor, Bytes& in, std::uint64_t from, const std::string& head);

/// OpenEXR's attribute with the name of its colours.
inline constexpr char color_name[] = "colorInteropID";
/// Notes in the parts of an OpenEXR file which attributes OpenImageIO does not read or would
/// change.
void read_exr_attributes(const std::filesystem::path& path, std::vector<OIIO::ImageSpec>& parts);
/// Such attributes of a part as a header holds them, and the names of those that are not among
/// them, or of all that OpenImageIO does not read.
std::string exr_attributes_in(const OIIO::ImageSpec& part);
std::string lost_exr_attributes(const OIIO::ImageSpec& part, bool all);
/// The bytes that OpenEXR unpacks at once: a tile, or as many rows as are packed together.
double exr_block_bytes(const std::filesystem::path& path);
/// OpenEXR's attribute for a date that is unknown.
std::string exr_attribute_without_date();
/// The list of a stereo picture's views as an OpenEXR file holds it; empty if there is none.
std::string exr_attribute_of_views(const OIIO::ImageSpec& spec);
/// Takes unknown dates out of a file of several parts, and puts attributes into the parts. False if
/// that cannot be written.
bool settle_exr_parts(int descriptor, const std::filesystem::path& path,
                      const std::vector<std::string>& attributes);

/// Takes what a DPX file's header says into a description: as texts where no attribute says it.
void read_dpx_header(const std::filesystem::path& path, OIIO::ImageSpec& spec);

/// Whether a text is a date of the calendar, as EXIF writes dates.
bool is_date(const std::string& text);
bool is_ascii(std::string_view text);
/// Latin-1 as UTF-8; text that is UTF-8 is not changed.
std::string utf8_of(std::string_view text);
void make_texts_utf8(OIIO::ImageSpec& spec);
/// ISO 8859-15 as UTF-8; text that is UTF-8 is not changed.
std::string utf8_of_latin_9(std::string_view text);
/// UTF-8 as ISO 8859-15; not changed if that lacks one of its characters.
std::string latin_9_of(std::string_view text);
/// Leaves in a PNG file's description the texts that OpenImageIO is to write: those of PNG's own
/// keywords or, with `any_names`, of any. What EXIF, IPTC and XMP say has chunks of its own. Texts
/// that are not ASCII, which OpenImageIO writes as Latin-1, are returned as chunks. `held` is the
/// input's metadata.
std::string take_png_texts(OIIO::ImageSpec& spec, const Metadata& held, bool any_names);
/// The text in which OpenImageIO repeats what other chunks say of the samples.
std::string color_space_chunk(const OIIO::ImageSpec& spec);
/// The end of as many whole characters of UTF-8 as fit into `most` bytes of a longer text.
std::size_t end_of_characters(std::string_view text, std::size_t most);
/// The lines of a text, whichever way they end; none of them is empty.
std::vector<std::string> lines_of(const std::string& text);
/// The same in lines of at most `most` bytes, broken at spaces where there are some.
std::vector<std::string> broken_lines(const std::string& text, std::size_t most);
/// The texts by people in lines, the description first, then a title, others after what they are
/// called.
std::string texts_in_lines(const OIIO::ImageSpec& spec, const std::string& title, bool author);
/// A picture's title, of which OpenImageIO reads that of EXIF in some formats only.
std::string title_of(const OIIO::ImageSpec& spec, const Exif& exif);
/// Whether EXIF says more than texts, and how samples are stored.
bool has_more_than_words(const Exif& exif);
/// The scale of a PFM file's samples, if it is not 1.
inline constexpr char pfm_scale[] = "sfumato:pfm_scale";
/// OpenImageIO's name for what a TGA file says before its picture.
inline constexpr char targa_id[] = "targa:ImageID";
/// Whether there are texts by people, or entries of a camera.
bool has_comments(const OIIO::ImageSpec& spec);
bool has_camera(const OIIO::ImageSpec& spec);
/// Where a text of a PNG file goes by its name as an attribute: nowhere, only into attributes of
/// OpenEXR, or into EXIF or IPTC, too.
enum class TextPlace : int { none, attribute, any };
TextPlace place_of_text(const std::string& attribute);
/// Puts the title, which OpenImageIO leaves out, into EXIF, and texts that EXIF has no place for,
/// such as PNG's comment, into its comment.
void put_comment(Exif& exif, const OIIO::ImageSpec& spec);
/// OpenEXR's place, speed of film and distance as EXIF's, and EXIF's as OpenEXR's, where they are
/// not there already.
void put_camera(Exif& exif, const OIIO::ImageSpec& spec);
void read_camera(const Exif& exif, OIIO::ImageSpec& spec);
/// Notes EXIF's entries in a description as attributes of OpenEXR would say them, and the names of
/// those that have none; and puts them into another one, from where it returns these names.
void note_exif(const Exif& exif, OIIO::ImageSpec& spec);
std::string take_exif(const OIIO::ImageSpec& noted, OIIO::ImageSpec& spec);
/// A text of EXIF after the name of its character set.
TiffEntry marked_text(const std::string& text, bool big_endian);
std::string text_of_marked(const TiffEntry& entry, bool big_endian);
/// EXIF's comment; empty if there is none.
std::string comment_of(const Exif& exif);
/// Settles a picture's date: that of a PNG file's own chunk, else EXIF's, which count before XMP's.
void settle_date(const std::string& kind, const std::filesystem::path& path, const Metadata& held,
                 OIIO::ImageSpec& spec);
/// The date that a PNG file states in a chunk, as EXIF writes it; empty if there is none. The mark
/// stands in descriptions if EXIF states another one.
std::string date_in_png(const std::filesystem::path& path);
inline constexpr char other_png_date[] = "sfumato:png_date";
/// As note_exif() and take_exif(), for IPTC.
void note_iptc(const std::string& iptc, OIIO::ImageSpec& spec);
std::string take_iptc(const OIIO::ImageSpec& noted, OIIO::ImageSpec& spec);
/// EXIF for a file in another byte order, which comments and some tables depend on.
Exif exif_in_order(Exif exif, bool big_endian);
/// Completes a picture's copyright by what EXIF says of it beside the photographer's.
void complete_copyright(const Exif& exif, OIIO::ImageSpec& spec);

/// Completes what OpenImageIO reads of a file's resolution. `page` is ReadOptions::page.
void settle_resolution(const std::string& kind, const std::filesystem::path& path, int page,
                       OIIO::ImageSpec& spec);
/// Whether there is one with a unit.
bool has_resolution(const OIIO::ImageSpec& spec);
/// How much wider than high a pixel is; 1 if nothing is said.
double pixel_aspect(const OIIO::ImageSpec& spec);
bool is_stretched(const OIIO::ImageSpec& spec);
/// Converts it to a unit of a format that is written; JPEG's is what JFIF has place for, and PNG's
/// is rounded, too. False if it is rounded so much that it is another one.
bool convert_resolution(OIIO::ImageSpec& spec, const std::string& kind);
/// Replaces a resolution by that of `from`, or none.
void keep_resolution(const OIIO::ImageSpec& from, OIIO::ImageSpec& to);
void put_resolution(Exif& exif, const OIIO::ImageSpec& spec);

/// An XMP packet with what its extension holds (XMP, part 3, 1.1.3.1), which is only known in JPEG
/// files; nullopt if they cannot be joined.
std::optional<std::string> joined_xmp(const std::string& packet, const std::string& extension);
/// A packet of at most `most` bytes, and an extension that holds the rest; empty if it cannot be
/// divided. Notes of other extensions are removed.
struct DividedXmp {
  std::string packet, extension, guid;
};
DividedXmp divided_xmp(const std::string& packet, std::size_t most);
/// Without notes of extensions, which are not with the packet any more.
std::string without_notes(std::string packet);
/// The GUID that a packet names its extension by; empty if it has none.
std::string guid_of_extension(const std::string& packet);
/// Without what is said of a gain map for HDR displays or a movie after the picture: both fit the
/// unfiltered picture only.
std::string without_attached(std::string packet);
/// Removes attributes that only say what was left out of a packet.
void forget_attached(const std::string& packet, const std::string& cleaned, OIIO::ImageSpec& spec);
/// Without small pictures of the unfiltered one.
std::string without_thumbnails(std::string packet);

}  // namespace sfumato::files
